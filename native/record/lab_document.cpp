#include <assay/record/lab_document.hpp>

#include <assay/record/json_context.hpp>
#include <assay/record/json_row.hpp>
#include <assay/system/text_file.hpp>

#include <unistd.h>

#include <array>
#include <ctime>

namespace assay {
namespace {

using nlohmann::ordered_json;

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 40> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S+00:00", &parts);
  return text.data();
}

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace

ordered_json lab_document(const LabContext& context, ordered_json rows) {
  ordered_json assay = json_context(gather_facts(context.build, ""));
  assay.update(context.own);
  return {{"context",
           {{"date", date_now()},
            {"host_name", host_name()},
            {"executable", context.executable},
            {"num_cpus", sysconf(_SC_NPROCESSORS_ONLN)},
            {"assay", std::move(assay)}}},
          {"benchmarks", std::move(rows)}};
}

Status write_document(const std::string& where, const ordered_json& document) {
  const std::string text = to_text(document, 0) + "\n";
  return where == "-" ? print(text) : write_file(where, text);
}

}  // namespace assay
