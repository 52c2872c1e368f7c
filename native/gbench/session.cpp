#include <assay/gbench/session.hpp>

namespace assay {

Session& session() {
  static auto& only = *new Session;  // never destroyed, see session.hpp
  return only;
}

}  // namespace assay
