"""What makes bash, zsh and fish ask `assay completion words` while somebody types.

Each gives the words up to the cursor and shows what comes back; where nothing does, names of files.
bash splits words at colons, of which targets have one (`git:main`): what stands before the last
colon is taken off again.
"""

_BASH = r"""_assay() {
  local line=${COMP_LINE:0:COMP_POINT} words begun colon
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  begun=${words[-1]}
  local IFS=$'\n'
  COMPREPLY=($(assay completion words -- "${words[@]:1}" 2>/dev/null))
  if [[ $begun == *:* && $COMP_WORDBREAKS == *:* ]]; then
    colon=${begun%"${begun##*:}"}
    COMPREPLY=("${COMPREPLY[@]#"$colon"}")
  fi
}
complete -o default -o bashdefault -F _assay assay"""

_ZSH = r"""#compdef assay
_assay() {
  local -a found
  found=("${(@f)$(assay completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n $found[1] ]]; then
    compadd -- "${found[@]}"
  else
    _files
  fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _assay assay"""

_FISH = r"""function __assay_words
    set -l words (commandline -opc) (commandline -ct)
    set -l found (assay completion words -- $words[2..] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c assay -f -a '(__assay_words)'"""

SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}
