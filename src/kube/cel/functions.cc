#include "kube/cel/functions.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace millwright::kube::cel {

namespace {

// Reads signatures. They are part of the program: a mistake in one is a bug.
class SignatureReader {
 public:
  explicit SignatureReader(std::string_view text) : text_(text) {}

  std::pair<std::string, Overload> Read() {
    Overload overload;
    const auto open = text_.find('(');
    const auto dot = MemberDot(open);
    std::string name;
    if (dot == std::string_view::npos) {
      name = text_.substr(0, open);
      at_ = open;
    } else {
      overload.member = true;
      overload.parameters.push_back(ReadType());
      Expect('.');
      name = text_.substr(at_, open - at_);
      at_ = open;
    }
    Expect('(');
    while (!Take(')')) {
      overload.parameters.push_back(ReadType());
      Take(',');
    }
    const auto arrow = text_.find("-> ", at_);
    if (arrow == std::string_view::npos) Fail();
    at_ = arrow + 3;
    overload.result = ReadType();
    return {std::move(name), std::move(overload)};
  }

 private:
  [[noreturn]] void Fail() const {
    throw std::logic_error("a signature is wrong: " + std::string(text_));
  }

  // The dot behind the type of a target. Dots in names of functions ("sets.contains") follow no
  // type.
  std::size_t MemberDot(std::size_t open) const {
    const auto dot = text_.substr(0, open).rfind('.');
    if (dot == std::string_view::npos) return dot;
    static constexpr std::string_view kSpaces[] = {"sets", "ip",    "optional", "format",
                                                   "math", "lists", "strings"};
    const bool space = std::ranges::find(kSpaces, text_.substr(0, dot)) != std::end(kSpaces);
    return space ? std::string_view::npos : dot;
  }

  bool Take(char c) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void Expect(char c) {
    if (!Take(c)) Fail();
  }

  TypePtr ReadType() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view(" ,.()<>").find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name == "list") return ListOf(ReadParam());
    if (name == "optional") return OptionalOf(ReadParam());
    if (name == "map") {
      Expect('<');
      TypePtr key = ReadType();
      Expect(',');
      TypePtr value = ReadType();
      Expect('>');
      return MapOf(std::move(key), std::move(value));
    }
    if (name == "A" || name == "B") {
      return std::make_shared<const Type>(Type{.kind = Kind::kParam, .name = std::string(name)});
    }
    return SimpleType(SimpleKind(name));
  }

  TypePtr ReadParam() {
    Expect('<');
    TypePtr type = ReadType();
    Expect('>');
    return type;
  }

  Kind SimpleKind(std::string_view name) const {
    static const std::map<std::string_view, Kind> kNames = {{"null", Kind::kNull},
                                                            {"bool", Kind::kBool},
                                                            {"int", Kind::kInt},
                                                            {"uint", Kind::kUint},
                                                            {"double", Kind::kDouble},
                                                            {"string", Kind::kString},
                                                            {"bytes", Kind::kBytes},
                                                            {"duration", Kind::kDuration},
                                                            {"timestamp", Kind::kTimestamp},
                                                            {"type", Kind::kType},
                                                            {"Quantity", Kind::kQuantity},
                                                            {"URL", Kind::kUrl},
                                                            {"IP", Kind::kIp},
                                                            {"CIDR", Kind::kCidr},
                                                            {"Semver", Kind::kSemver},
                                                            {"Format", Kind::kFormat},
                                                            {"dyn", Kind::kDyn}};
    const auto found = kNames.find(name);
    if (found == kNames.end()) Fail();
    return found->second;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

using Functions = std::map<std::string, std::vector<Overload>, std::less<>>;

const Functions& AllFunctions() {
  static const Functions kFunctions = [] {
    Functions functions;
    for (const auto declarations :
         {OperatorDeclarations(), ConversionDeclarations(), TextDeclarations(), ListDeclarations(),
          TimeDeclarations(), OptionalDeclarations(), QuantityDeclarations(), UrlDeclarations(),
          NetDeclarations(), SemverDeclarations(), FormatDeclarations()}) {
      for (const Declaration& declaration : declarations) {
        auto [name, overload] = SignatureReader(declaration.signature).Read();
        overload.body = declaration.body;
        functions[name].push_back(std::move(overload));
      }
    }
    return functions;
  }();
  return kFunctions;
}

bool Fits(const Type& wanted, const Value& value) {
  if (wanted.kind == Kind::kDyn || wanted.kind == Kind::kParam) return true;
  return wanted.kind == value.kind();
}

}  // namespace

const std::vector<Overload>* FindFunction(std::string_view name) {
  const Functions& functions = AllFunctions();
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : &found->second;
}

bool IsFunction(std::string_view name) { return FindFunction(name) != nullptr; }

Result<Value> Invoke(const std::vector<Overload>& overloads, bool member, Arguments arguments,
                     Budget& budget) {
  for (const Overload& overload : overloads) {
    if (overload.member != member || overload.parameters.size() != arguments.size()) continue;
    bool fits = true;
    for (std::size_t i = 0; i < arguments.size() && fits; ++i) {
      fits = Fits(*overload.parameters[i], arguments[i]);
    }
    if (fits) return overload.body(arguments, budget);
  }
  return NoSuchOverload();
}

}  // namespace millwright::kube::cel
