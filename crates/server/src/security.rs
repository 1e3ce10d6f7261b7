//! Who may ask: the own page only, and where the server can be reached from outside, only those who
//! have its token.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderName, HeaderValue,
    ORIGIN, REFERRER_POLICY, REFRESH, SET_COOKIE, UPGRADE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::error::Refusal;

const COOKIE_NAME: &str = "warroom_token";
const TOKEN_KEY: &str = "token";

/// Styles may be inline: the page places pieces by them. Scripts may not.
const POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// What is checked of every request.
pub(crate) struct Guard {
    /// The access token, where one is needed.
    pub(crate) token: Option<String>,
    /// Only names of this machine are answered, so that no other site can pretend to be it.
    pub(crate) loopback_only: bool,
}

/// Lets a request pass, or refuses it; and puts the headers on every answer.
pub(crate) async fn watch(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut response = match app.guard.check(&request) {
        Ok(Pass::Through) => {
            // The token is for the guard alone; handlers know their own words only.
            if in_address(request.uri()).is_some()
                && let Ok(plain) = without_token(request.uri()).parse()
            {
                *request.uri_mut() = plain;
            }
            next.run(request).await
        }
        Ok(Pass::WithCookie(cookie, address)) => {
            // Not a redirection: after a link of another site that would still be a request of the
            // other site, which gets no strict cookie. This page asks for the address itself.
            let headers = [(SET_COOKIE, cookie), (REFRESH, format!("0;url={address}"))];
            (headers, "Token accepted; the page opens automatically.").into_response()
        }
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    let fixed: [(HeaderName, &'static str); 3] = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
    ];
    for (name, value) in fixed {
        // A report has a stricter policy of its own.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// How a request passes.
#[derive(Debug, PartialEq, Eq)]
enum Pass {
    Through,
    /// It brought the token in its address: it gets a cookie instead, and the address without it.
    WithCookie(String, String),
}

impl Guard {
    fn check(&self, request: &Request) -> Result<Pass, Refusal> {
        let (headers, uri) = (request.headers(), request.uri());
        let host = the_host(headers)?;
        if self.loopback_only && !is_loopback(host) {
            let shown: String = host.chars().take(80).collect();
            let reason = format!("host '{shown}': expected localhost, 127.0.0.1 or [::1]");
            return Err(Refusal::new(StatusCode::FORBIDDEN, reason));
        }
        let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
        if (changes || headers.contains_key(UPGRADE))
            && let Some(origin) = text(headers, &ORIGIN)
            && !is_same(origin, host)
        {
            let shown: String = origin.chars().take(80).collect();
            let reason = format!("origin '{shown}': only the page of this server may do this");
            return Err(Refusal::new(StatusCode::FORBIDDEN, reason));
        }
        let Some(token) = &self.token else { return Ok(Pass::Through) };
        if cookies(headers).any(|given| same_secret(given, token))
            || bearer(headers).is_some_and(|given| same_secret(given, token))
        {
            return Ok(Pass::Through);
        }
        if !in_address(uri).is_some_and(|given| same_secret(given, token)) {
            let reason = "an access token is needed: open the server's address with ?token=TOKEN, or \
                          send Authorization: Bearer TOKEN";
            return Err(Refusal::new(StatusCode::UNAUTHORIZED, reason));
        }
        if changes || headers.contains_key(UPGRADE) || uri.path().starts_with("/api/") {
            return Ok(Pass::Through);
        }
        let cookie =
            format!("{COOKIE_NAME}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000");
        Ok(Pass::WithCookie(cookie, without_token(uri)))
    }
}

/// What the client calls this server. Who does not say it, or says it twice, could be anybody's page.
fn the_host(headers: &HeaderMap) -> Result<&str, Refusal> {
    let mut hosts = headers.get_all(HOST).iter();
    match (hosts.next().map(HeaderValue::to_str), hosts.next()) {
        (Some(Ok(host)), None) if !host.is_empty() => Ok(host),
        (None, _) => Err(Refusal::bad("the request has no Host; expected one, such as localhost")),
        (Some(_), None) => Err(Refusal::bad("the Host of the request is not a name or an address")),
        (Some(_), Some(_)) => Err(Refusal::bad("the request has several Hosts; expected one")),
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Whether a host, with or without port, is this machine by name.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// Whether an origin is this host.
fn is_same(origin: &str, host: &str) -> bool {
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    !host.is_empty() && authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = all.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, _)| *name == COOKIE_NAME).map(|(_, value)| value)
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    text(headers, &AUTHORIZATION)?.strip_prefix("Bearer ").map(str::trim)
}

fn in_address(uri: &Uri) -> Option<&str> {
    let pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.filter(|(key, _)| *key == TOKEN_KEY).map(|(_, value)| value).next()
}

fn without_token(uri: &Uri) -> String {
    let kept = uri.query().unwrap_or_default().split('&');
    let kept: Vec<&str> =
        kept.filter(|pair| !pair.is_empty() && !pair.starts_with("token=")).collect();
    // A path that begins with two slashes would name another host.
    let path = format!("/{}", uri.path().trim_start_matches('/'));
    if kept.is_empty() { path } else { format!("{path}?{}", kept.join("&")) }
}

/// Compares without telling by its time how much was right.
fn same_secret(given: &str, secret: &str) -> bool {
    let differences = given.bytes().zip(secret.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    given.len() == secret.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn check(guard: &Guard, method: &str, uri: &str, headers: &[(&str, &str)]) -> u16 {
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        match guard.check(&request.body(Body::empty()).unwrap()) {
            Ok(Pass::Through) => 200,
            Ok(Pass::WithCookie(..)) => 0,
            Err(refusal) => refusal.status.as_u16(),
        }
    }

    #[test]
    fn on_this_machine_only_its_own_names_and_page_are_answered() {
        let guard = Guard { token: None, loopback_only: true };
        for host in ["localhost:7878", "127.0.0.1:7878", "[::1]:7878", "LocalHost", "127.0.0.2:1"] {
            assert_eq!(check(&guard, "GET", "/", &[("host", host)]), 200, "{host}");
        }
        for host in ["evil.example", "evil.example:7878", "localhost.evil.example", "127.0.0.1.x"] {
            assert_eq!(check(&guard, "GET", "/", &[("host", host)]), 403, "{host}");
        }
        assert_eq!(check(&guard, "GET", "/", &[]), 400, "no host");
        assert_eq!(check(&guard, "GET", "http://localhost/", &[]), 400, "no host, but an address");
        assert_eq!(check(&guard, "GET", "/", &[("host", "")]), 400, "an empty host");
        let twice = [("host", "localhost"), ("host", "evil.example")];
        assert_eq!(check(&guard, "GET", "/", &twice), 400, "two hosts");
        let from = |method, origin: &str, extra: &[(&str, &str)]| {
            let mut headers = vec![("host", "localhost:7878"), ("origin", origin)];
            headers.extend(extra);
            check(&guard, method, "/api/games", &headers)
        };
        assert_eq!(from("POST", "http://localhost:7878", &[]), 200);
        for origin in ["http://localhost:1", "https://evil.example", "null", ""] {
            assert_eq!(from("POST", origin, &[]), 403, "{origin}");
            assert_eq!(from("DELETE", origin, &[]), 403, "{origin}");
            assert_eq!(from("GET", origin, &[("upgrade", "websocket")]), 403, "{origin}");
        }
        assert_eq!(
            from("GET", "https://evil.example", &[]),
            200,
            "reading is the browser's matter"
        );
    }

    #[test]
    fn from_outside_a_token_is_needed() {
        let guard = Guard { token: Some("secret".into()), loopback_only: false };
        let host = ("host", "10.0.0.5:7878");
        let asked = |uri: &str, extra: &[(&str, &str)]| {
            check(&guard, "GET", uri, &[&[host], extra].concat())
        };
        assert_eq!(asked("/", &[]), 401);
        assert_eq!(asked("/?token=wrong", &[]), 401);
        assert_eq!(asked("/?token=secret", &[]), 0, "a cookie, and the address without it");
        assert_eq!(asked("/api/games?token=secret", &[]), 200);
        assert_eq!(asked("/", &[("cookie", "a=b; warroom_token=secret")]), 200);
        assert_eq!(asked("/", &[("cookie", "warroom_token=secre")]), 401);
        assert_eq!(asked("/", &[("authorization", "Bearer secret")]), 200);
        assert_eq!(asked("/", &[("authorization", "Basic secret")]), 401);
    }

    #[test]
    fn the_token_leaves_the_address() {
        let cases = [
            ("/game/x?token=a&b=1", "/game/x?b=1"),
            ("/?token=a", "/"),
            ("//evil?token=a", "/evil"),
        ];
        for (uri, expected) in cases {
            assert_eq!(without_token(&uri.parse().unwrap()), expected);
        }
    }
}
