// Purpose: a launch's plan and its outcome as JSON, between assay-os and assay-os-launch.
//
//   const std::string text = text_of(plan);
//   const Result<OwnedPlan> same = plan_from(text);
//
// Private to these two programs; nothing of it is kept. Thread safety: pure.
// Cost: before and after measuring.
#pragma once

#include <assay/os/harness/launch.hpp>

#include <string>

namespace assay::os {

/// A LaunchPlan together with the Case to which its pointer leads.
struct OwnedPlan {
  Case what;
  LaunchPlan plan;
};

std::string text_of(const LaunchPlan& plan);
Result<OwnedPlan> plan_from(const std::string& text);

std::string text_of(const Launched& launched);
Result<Launched> launched_from(const std::string& text);

}  // namespace assay::os
