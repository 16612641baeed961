// The client's end of TLS on Asio: whom it believes, what it shows, and what a refusal means.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <memory>
#include <string>

#include "net/tls_config.h"

namespace millwright::net {

using TlsContext = boost::asio::ssl::context;
using TlsStream = boost::asio::ssl::stream<boost::asio::ip::tcp::socket>;

// TLS 1.2 or newer; offers "h2" and "http/1.1" by ALPN. kInvalid for a configuration that OpenSSL
// cannot use.
Result<std::shared_ptr<TlsContext>> MakeClientContext(const TlsConfig& config);

// The name or address is asked for and must be the server's. Before the handshake.
Result<void> ExpectServer(TlsStream& stream, const std::string& name);

// What a failed handshake means.
Error HandshakeError(TlsStream& stream, const boost::system::error_code& error);

// What the server chose by ALPN; empty if nothing.
std::string ChosenProtocol(TlsStream& stream);

}  // namespace millwright::net
