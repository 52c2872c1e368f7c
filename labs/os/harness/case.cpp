#include <assay/os/harness/case.hpp>

#include <cerrno>
#include <cstring>

namespace assay::os {
namespace {
constexpr const char* this_host = "this host";
}

Error failed(std::string what) {
  const int code = errno;
  return {std::move(what) + ": " + std::strerror(code), "", "", code};
}

Error host_lacks(std::string what) {
  return {std::move(what), this_host};
}

bool is_host_lacking(const Error& error) {
  return error.where == this_host;
}

}  // namespace assay::os
