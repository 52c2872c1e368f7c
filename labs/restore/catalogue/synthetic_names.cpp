#include <assay/restore/catalogue/synthetic_names.hpp>

#include <assay/base/random.hpp>

#include <array>

namespace assay::restore {
namespace {

constexpr std::uint64_t nested_depth = 30;

constexpr std::array<std::string_view, 16> topics{
    "photos", "Documents", "invoices 2021", "music", "Bücher", "projects", "old laptop", "scans",
    "taxes",  "letters",   "recipes",       "video", "写真",   "backup",   "Música",     "misc"};
constexpr std::array<std::string_view, 16> modules{
    "core", "lib",  "net", "fs",   "drivers", "include", "tests", "tools",
    "docs", "arch", "mm",  "util", "cmake",   "third",   "bench", "scripts"};
constexpr std::array<std::string_view, 8> words{"list", "page", "node",  "queue",
                                                "map",  "file", "state", "hash"};
constexpr std::array<std::string_view, 8> endings{".c",  ".h",   ".cpp", ".hpp",
                                                  ".py", ".txt", ".o",   "_test.cpp"};

void append_number(std::string& text, std::uint64_t number, std::size_t width = 1) {
  const std::string digits = std::to_string(number);
  if (digits.size() < width) text.append(width - digits.size(), '0');
  text += digits;
}

/// Appends four nested directories, one for each of the lower four hexadecimal digits of `number`,
/// so that neighbours share most of their path.
void append_topics(std::string& path, const std::array<std::string_view, 16>& names,
                   std::uint64_t number) {
  for (int shift = 12; shift >= 0; shift -= 4) {
    path.append(names[(number >> static_cast<unsigned>(shift)) % 16]) += '/';
  }
}

}  // namespace

void append_directory(std::string& path, Shape shape, std::uint64_t directory) {
  switch (shape) {
    case Shape::nested:
      path += '/';
      for (std::uint64_t i = 0; i <= directory; ++i) {
        path += "dir";
        append_number(path, i);
        path += '/';
      }
      return;
    case Shape::home:
      path += "/home/user";
      append_number(path, directory >> 16U);
      path += '/';
      append_topics(path, topics, directory);
      return;
    case Shape::mail:
      path += "/var/vmail/user";
      append_number(path, directory / 4);
      path += directory % 4 == 0 ? "/Maildir/cur/" : "/Maildir/.Archive.";
      if (directory % 4 != 0) append_number(path, 2018 + directory % 4);
      if (directory % 4 != 0) path += "/cur/";
      return;
    case Shape::source:
      break;
  }
  path += "/usr/src/project";
  append_number(path, directory >> 16U);
  path += '/';
  append_topics(path, modules, directory);
}

void append_file(std::string& name, Shape shape, std::uint64_t directory, std::uint32_t file) {
  switch (shape) {
    case Shape::nested:
      name += "file";
      append_number(name, file);
      return;
    case Shape::home:
      name += file % 3 == 0 ? "IMG_2019" : file % 3 == 1 ? "Übersicht " : "notes of day ";
      append_number(name, directory % 10'000, 4);
      name += '_';
      append_number(name, file, 6);
      name += file % 3 == 0 ? ".jpg" : ".odt";
      return;
    case Shape::mail:
      append_number(name, 1'514'764'800 + std::uint64_t{file} * 977);
      name += ".M";
      append_number(name, file, 6);
      name += "P2817.mx1.example.org,S=";
      append_number(name, 1'000 + std::uint64_t{file} * 37 % 90'000);
      name += ":2,S";
      return;
    case Shape::source:
      break;
  }
  name += words[file % words.size()];
  append_number(name, file);
  name += endings[(file / 3 + directory) % endings.size()];
}

std::uint32_t files_in(const CatalogueSpec& spec, std::uint64_t directory) {
  const std::uint64_t chance = SplitMix(spec.seed ^ (directory * 0x9e3779b97f4a7c15U)).next();
  switch (spec.shape) {
    case Shape::nested: {
      const std::uint64_t more = directory < spec.files % nested_depth ? 1 : 0;
      return static_cast<std::uint32_t>(spec.files / nested_depth + more);
    }
    case Shape::home:
      return static_cast<std::uint32_t>(1 + chance % 40);
    case Shape::mail:
      return static_cast<std::uint32_t>(500 + chance % 4'500);
    case Shape::source:
      break;
  }
  return static_cast<std::uint32_t>(4 + chance % 22);
}

}  // namespace assay::restore
