// What a request without a whole answer means for the caller, whatever carried it. Pure.
//
// `doing` is "GET https://host/path"; it begins the message. Empty where a caller will add it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace millwright::net {

// True for methods that can change something at the server, so that a lost answer leaves a doubt.
bool IsWriting(std::string_view method);

// The address without user, query and fragment, which may hold secrets.
std::string ShownUrl(std::string_view url);

// The request went out and nothing, or only a part, came back.
Error LostError(std::string_view method, std::string_view doing, std::string_view detail);

// It surely had no effect.
Error NotSentError(std::string_view doing, std::string_view detail);

// Given up by us because its time was over. `sent`: some of it may have reached the server.
Error TimeoutError(bool sent, std::string_view method, std::string_view doing);

// Given up by us because we were told to.
Error StoppedError(std::string_view doing);

// There is more than we are ready to keep; `what` is "answer" or a part of it.
Error TooLargeError(std::string_view method, std::string_view doing, std::string_view what,
                    std::size_t limit);

// TLS alerts by which a server says that it does not accept our certificate, as OpenSSL spells
// them. With TLS 1.3 they come after the handshake, when the request is under way; it was not
// looked at.
bool RefusedOurCertificate(std::string_view detail);
Error RefusedCertificateError(std::string_view doing, std::string_view detail);

// Carried by the error when the server's certificate was not accepted, whatever its kind says about
// trying again.
class UntrustedServer final : public ErrorDetail {};

// `verify_result` is OpenSSL's verdict on the server's certificate, not X509_V_OK.
Error UntrustedServerError(long verify_result, std::string_view doing, std::string_view detail);

}  // namespace millwright::net
