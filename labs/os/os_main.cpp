// assay-os: measures one case of the OS lab and writes a record. `assay os` starts it, decides how
// often, and shows what the figures mean.
//
//   assay-os exec -C 10000 -D 10 -N exec              a case, with libMicro's options
//   assay-os list                                     the cases, as JSON
//   assay-os catalogue                                the runs of `assay os all`, as JSON
//   assay-os help CASE                                a case's options
//   assay-os facts                                    the host, as libMicro's files begin
//   assay-os parse FILE                               what command lines ask for, as JSON; - is
//                                                     standard input: [["strlen", "-s", "1k"]]
//   assay-os clean                                    remove what killed runs have left
#include <assay/os/cli/command.hpp>
#include <assay/os/cli/command_json.hpp>
#include <assay/os/cli/launches.hpp>
#include <assay/os/cli/libmicro_facts.hpp>
#include <assay/os/cli/report_json.hpp>
#include <assay/os/harness/case_list.hpp>
#include <assay/record/lab_document.hpp>
#include <assay/system/text_file.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

namespace os = assay::os;

constexpr int done = 0, bad_input = 2, not_measured = 3;

int complain(const assay::Error& error, int code) {
  std::cerr << "error: " << error.line() << "\n";
  return code;
}

std::string own_folder() {
  std::error_code failed;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? "." : path.parent_path().string();
}

int put(const std::string& text) {
  const assay::Status written = assay::print(text);
  return written ? done : complain(written.error(), bad_input);
}

int run(const std::vector<std::string>& words) {
  const auto command = os::parse_command(words);
  if (!command) return complain(command.error(), bad_input);
  auto scratch = os::Scratch::make(command->dir);
  if (!scratch) return complain(scratch.error(), bad_input);
  const os::Measured measured = os::measure(*command, *scratch, own_folder());
  if (measured.ended_by != 0) return 128 + measured.ended_by;
  const assay::Status written =
      assay::write_document(command->json, os::record_of(*command, measured));
  if (!written) return complain(written.error(), bad_input);
  if (!measured.trouble || os::is_host_lacking(*measured.trouble)) return done;
  return complain({measured.trouble->line(), command->name}, not_measured);
}

// Removes the folders of killed runs, which Scratch::make() does at its start.
int clean() {
  const auto scratch = os::Scratch::make("");
  return scratch ? done : complain(scratch.error(), bad_input);
}

int parse(const std::string& where) {
  std::ifstream file;
  if (where != "-") file.open(where);
  std::istream& from = where == "-" ? std::cin : file;
  const auto commands = os::json_commands({std::istreambuf_iterator<char>(from), {}});
  if (!commands) return complain(commands.error(), bad_input);
  return put(*commands);
}

int help(const std::string& name) {
  const auto what = os::find_case(name);
  if (!what) return complain({"no such case", name, "see assay os list"}, bad_input);
  std::cout << os::usage_of(*what);
  return done;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string verb = words.empty() ? "" : words[0];
  if (verb == "list") return put(os::json_list());
  if (verb == "catalogue") return put(os::json_catalogue());
  if (verb == "facts") return put(os::libmicro_facts());
  if (verb == "clean") return clean();
  if (words.size() == 2 && verb == "help") return help(words[1]);
  if (words.size() == 2 && verb == "parse") return parse(words[1]);
  return run(words);
} catch (const std::exception& error) {
  return complain({error.what(), "assay-os"}, not_measured);
}
