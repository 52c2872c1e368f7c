// Purpose: makes the paths and names of a made-up backup from numbers.
//
//   append_directory(path, Shape::home, 17);   // "/home/user0/photos/2019/"
//   append_file(name, Shape::home, 17, 3);     // "IMG_20190317_000003.jpg"
//
// The same number always gives the same text, and different numbers different ones.
// Thread safety: pure. Cost: never timed.
#pragma once

#include <assay/restore/catalogue/catalogue_spec.hpp>

#include <string>

namespace assay::restore {

void append_directory(std::string& path, Shape shape, std::uint64_t directory);
void append_file(std::string& name, Shape shape, std::uint64_t directory, std::uint32_t file);

/// How many files are in the directory of that number, in the backup that `spec` describes.
std::uint32_t files_in(const CatalogueSpec& spec, std::uint64_t directory);

}  // namespace assay::restore
