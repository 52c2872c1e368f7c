#include <assay/restore/restore_options.hpp>

#include <assay/restore/rows/row_parser.hpp>

#include <limits>
#include <optional>
#include <string_view>

namespace assay::restore {
namespace {

constexpr std::string_view prefix = "--restore_";

Error error_of(const std::string& argument, std::string hint) {
  return {"not understood", argument, std::move(hint)};
}

Status take_one(const std::string& argument, RestoreOptions& options) {
  const std::size_t equals = argument.find('=');
  const std::string name = argument.substr(0, equals);
  const std::string value = equals == argument.npos ? "" : argument.substr(equals + 1);
  if (name == "--restore_100m") {
    if (!value.empty() && value != "true" && value != "false") {
      return error_of(argument, "true or false");
    }
    options.largest = value == "false" ? Largest::usual : Largest::hundred_million;
  } else if (name == "--restore_seed") {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    if (!parse_decimal(value, most, options.seed)) return error_of(argument, "a whole number");
  } else if (name == "--restore_csv" && !value.empty()) {
    options.csv_path = value;
  } else if (name == "--restore_listing" && !value.empty()) {
    options.listing_path = value;
  } else {
    return error_of(argument,
                    "there are --restore_100m, --restore_seed=N, --restore_csv=FILE, "
                    "--restore_listing=FILE");
  }
  return {};
}

}  // namespace

Result<RestoreOptions> take_restore_options(std::vector<std::string>& arguments) {
  RestoreOptions options;
  std::vector<std::string> left;
  for (const std::string& argument : arguments) {
    if (!argument.starts_with(prefix)) {
      left.push_back(argument);
    } else if (const Status taken = take_one(argument, options); !taken) {
      return taken.error();
    }
  }
  arguments = std::move(left);
  return options;
}

}  // namespace assay::restore
