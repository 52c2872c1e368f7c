"""Scripts by which bash, zsh and fish ask `assay completion words` while somebody types.

Each script passes the words up to the cursor, without quotes, and offers the answers; if there are
none, names of files. A benchmark may be called `BM_Sort<int>/8` and a branch `x;touch y`, so what
is put on the line must mean that name, and never a redirection or a command. zsh and fish quote it
themselves. bash does not, and replaces what follows the last quote, colon or equals sign. So the
bash script reads the words character by character, without evaluating anything.
"""

_BASH = r"""_assay() {
  local line=${COMP_LINE:0:COMP_POINT} words=() word='' quote='' begun='' char at start=0 found
  for ((at = 0; at < ${#line}; at++)); do
    char=${line:at:1}
    if [[ $quote && $char == "$quote" ]]; then
      quote=''
    elif [[ $char == \\ && $quote != "'" ]]; then
      at=$((at + 1)) begun=1 char=${line:at:1}
      [[ $quote && $char != [\\\"\$\`] ]] && word+=\\
      word+=$char
    elif [[ $quote ]]; then
      word+=$char
    elif [[ $char == [\'\"] ]]; then
      quote=$char begun=1 start=${#word}
    elif [[ $char == [[:space:]] ]]; then
      [[ $begun ]] && words+=("$word")
      word='' begun='' start=0
    else
      word+=$char begun=1
      [[ $char == [:=] && $COMP_WORDBREAKS == *"$char"* ]] && start=${#word}
    fi
  done
  COMPREPLY=()
  while IFS= read -r found; do
    found=${found:start}
    case $quote in
      "'") found=${found//\'/\'\\\'\'} ;;
      '"')
        found=${found//\\/\\\\} found=${found//\"/\\\"}
        found=${found//\$/\\\$} found=${found//\`/\\\`}
        ;;
      *) printf -v found %q "$found" ;;
    esac
    COMPREPLY+=("$found")
  done < <(assay completion words -- "${words[@]:1}" "$word" 2>/dev/null)
}
complete -o default -o bashdefault -F _assay assay"""

_ZSH = r"""#compdef assay
_assay() {
  local -a found
  found=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
  found=("${(@f)$(assay completion words -- "${found[@]}" 2>/dev/null)}")
  if [[ -n $found[1] ]]; then
    compadd -- "${found[@]}"
  else
    _files
  fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _assay assay"""

_FISH = r"""function __assay_words
    set -l begun (commandline -ct)
    set -l plain (string unescape -- $begun; or string unescape -- $begun\"
        or string unescape -- $begun\')
    set -l words (commandline -opc) "$plain"
    set -l found (assay completion words -- $words[2..] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c assay -f -a '(__assay_words)'"""

SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}
