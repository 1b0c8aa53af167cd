<?php
/**
 * Plugin Name: Slipway
 * Description: Signs the members of the project's team in with the console.
 * License: GPL-2.0-or-later
 *
 * OpenID Connect Core 1.0, authorization code flow with PKCE (RFC 7636). Tokens come directly from
 * the service through a local socket.
 */

namespace Slipway;

defined( 'ABSPATH' ) || exit;

/** The console's access link points here. */
const SIGN_IN_PATH   = '/yk/app/auth/oauth/cloud';
const CALLBACK_PATH  = SIGN_IN_PATH . '/callback';
const SERVICE_SOCKET = 'unix:///runtime/egress/s';
const SIGN_IN_TIME   = 10 * MINUTE_IN_SECONDS;
/** A session is confirmed again after this time. */
const CONFIRMED_TIME = MINUTE_IN_SECONDS;

function setting( $name ) {
	return (string) getenv( 'SLIPWAY_' . $name );
}

function random_text() {
	return encode( random_bytes( 32 ) );
}

function encode( $bytes ) {
	return rtrim( strtr( base64_encode( $bytes ), '+/', '-_' ), '=' );
}

function decode( $text ) {
	return base64_decode( strtr( $text, '-_', '+/' ), true );
}

/** Uses the CA certificates of PHP's settings in place of WordPress's own. */
add_filter(
	'http_request_args',
	function ( $options ) {
		$file = (string) ini_get( 'openssl.cafile' );
		return '' === $file ? $options : array_merge( $options, array( 'sslcertificates' => $file ) );
	}
);

/** The endpoints of the provider's metadata (OpenID Connect Discovery §3). */
const ENDPOINTS = array(
	'/token'    => 'token_endpoint',
	'/userinfo' => 'userinfo_endpoint',
);

/** As `request_service`, in a container, which has no local socket. */
function request_provider( $method, $path, array $headers, $body ) {
	$url = setting( 'PROVIDER' ) . '/.well-known/openid-configuration';
	if ( isset( ENDPOINTS[ $path ] ) ) {
		list( , $provider ) = request_provider( 'GET', '/configuration', array(), '' );
		$url                = (string) ( $provider[ ENDPOINTS[ $path ] ] ?? '' );
		if ( strpos( $url, setting( 'PROVIDER' ) . '/' ) !== 0 ) {
			return array( 0, null );
		}
	}
	$options  = array(
		'method'      => $method,
		'headers'     => $headers,
		'timeout'     => 10,
		'redirection' => 0,
	);
	$response = wp_remote_request( $url, $body === '' ? $options : $options + array( 'body' => $body ) );
	if ( is_wp_error( $response ) ) {
		log_failure( $url, $response->get_error_message() );
		return array( 0, null );
	}
	return array( (int) wp_remote_retrieve_response_code( $response ), json_decode( wp_remote_retrieve_body( $response ), true ) );
}

/** Sends a request to the service. Returns status and decoded body; status 0 if it fails. */
function request_service( $method, $path, array $headers, $body = '' ) {
	if ( setting( 'PROVIDER' ) !== '' ) {
		return request_provider( $method, $path, $headers, $body );
	}
	$socket = @stream_socket_client( SERVICE_SOCKET, $code, $message, 10 );
	if ( ! $socket ) {
		log_failure( SERVICE_SOCKET, $message );
		return array( 0, null );
	}
	stream_set_timeout( $socket, 10 );
	$headers['Host']           = 'service';
	$headers['Connection']     = 'close';
	$headers['Content-Length'] = strlen( $body );
	$text                      = "$method $path HTTP/1.0\r\n";
	foreach ( $headers as $name => $value ) {
		$text .= "$name: $value\r\n";
	}
	fwrite( $socket, "$text\r\n$body" );
	$received = (string) stream_get_contents( $socket, 65536 );
	fclose( $socket );
	list( $head, $content ) = array_pad( explode( "\r\n\r\n", $received, 2 ), 2, '' );
	$status                 = preg_match( '#^HTTP/1\.\d (\d{3})#', $head, $found ) ? (int) $found[1] : 0;
	return array( $status, json_decode( $content, true ) );
}

/** Logs which connection failed and why, never what was sent. */
function log_failure( $url, $reason ) {
	error_log( "Sign-in: no connection to $url: $reason" );
}

/** Logs a failed request with its error code, such as one of OAuth. */
function log_response( $status, $path, $body ) {
	$error = is_string( $body['error'] ?? null ) ? $body['error'] : 'no error code';
	error_log( "Sign-in: status $status for $path: $error" );
}

/** Redeems a code for tokens (OpenID Connect Core §3.1.3). Null when the service rejects it. */
function redeem( $code, $verifier ) {
	$credentials = rawurlencode( setting( 'CLIENT_ID' ) ) . ':' . rawurlencode( setting( 'CLIENT_SECRET' ) );

	list( $status, $tokens ) = request_service(
		'POST',
		'/token',
		array(
			'Authorization' => 'Basic ' . base64_encode( $credentials ),
			'Content-Type'  => 'application/x-www-form-urlencoded',
		),
		http_build_query(
			array(
				'grant_type'    => 'authorization_code',
				'code'          => $code,
				'redirect_uri'  => home_url( CALLBACK_PATH ),
				'code_verifier' => $verifier,
			)
		)
	);
	if ( 200 !== $status ) {
		log_response( $status, '/token', $tokens );
	}
	return 200 === $status && isset( $tokens['access_token'], $tokens['id_token'] ) ? $tokens : null;
}

/**
 * The claims of an ID token; null when they are not for this sign-in. It comes from the token
 * endpoint itself, which proves its issuer (OpenID Connect Core §3.1.3.7, number 6).
 */
function read_claims( $id_token, $nonce ) {
	$parts  = explode( '.', $id_token );
	$claims = isset( $parts[1] ) ? json_decode( (string) decode( $parts[1] ), true ) : null;
	$valid  = is_array( $claims )
		&& ( $claims['iss'] ?? null ) === setting( 'ISSUER' )
		&& ( $claims['aud'] ?? null ) === setting( 'CLIENT_ID' )
		&& is_string( $claims['sub'] ?? null )
		&& is_string( $claims['nonce'] ?? null )
		&& hash_equals( $nonce, $claims['nonce'] )
		&& ( $claims['exp'] ?? 0 ) > time();
	return $valid ? $claims : null;
}

function cookie_name( $state ) {
	$prefix = is_ssl() ? '__Host-' : '';
	return $prefix . 'slipway_sign_in_' . substr( hash( 'sha256', $state ), 0, 16 );
}

function send_cookie( $name, $value, $expires ) {
	setcookie(
		$name,
		$value,
		array(
			'expires'  => $expires,
			'path'     => '/',
			'secure'   => is_ssl(),
			'httponly' => true,
			'samesite' => 'Lax',
		)
	);
}

function sign( $text ) {
	return encode( hash_hmac( 'sha256', $text, wp_salt( 'auth' ), true ) );
}

/** Redirects to the console. Has no other effect, so a link preview may request it. */
function begin_sign_in() {
	list( $status, $provider ) = request_service( 'GET', '/configuration', array() );
	if ( 200 !== $status || ! is_string( $provider['authorization_endpoint'] ?? null ) ) {
		log_response( $status, '/configuration', $provider );
		fail( 502, __( 'An error occurred. Please try again later.' ) );
	}
	$state    = random_text();
	$nonce    = random_text();
	$verifier = random_text();
	$value    = implode( '.', array( $state, $nonce, $verifier, (string) ( time() + SIGN_IN_TIME ) ) );
	send_cookie( cookie_name( $state ), $value . '.' . sign( $value ), time() + SIGN_IN_TIME );
	$query = http_build_query(
		array(
			'response_type'         => 'code',
			'client_id'             => setting( 'CLIENT_ID' ),
			'redirect_uri'          => home_url( CALLBACK_PATH ),
			'scope'                 => 'openid profile email',
			'state'                 => $state,
			'nonce'                 => $nonce,
			'code_challenge'        => encode( hash( 'sha256', $verifier, true ) ),
			'code_challenge_method' => 'S256',
		)
	);
	nocache_headers();
	wp_redirect( $provider['authorization_endpoint'] . '?' . $query );
	exit;
}

/** What `begin_sign_in` stored in this browser: nonce and verifier. Null for another browser. */
function stored_sign_in( $state ) {
	$parts = explode( '.', (string) ( $_COOKIE[ cookie_name( $state ) ] ?? '' ) );
	if ( 5 !== count( $parts ) ) {
		return null;
	}
	list( $stored, $nonce, $verifier, $expires, $signature ) = $parts;

	$signed = implode( '.', array( $stored, $nonce, $verifier, $expires ) );
	$valid  = hash_equals( sign( $signed ), $signature ) && hash_equals( $stored, $state ) && (int) $expires > time();
	return $valid ? array( $nonce, $verifier ) : null;
}

function finish_sign_in() {
	$parameter = function ( $name ) {
		return is_string( $_GET[ $name ] ?? null ) ? wp_unslash( $_GET[ $name ] ) : '';
	};
	$state  = $parameter( 'state' );
	$stored = stored_sign_in( $state );
	if ( ! $stored || $parameter( 'iss' ) !== setting( 'ISSUER' ) ) {
		fail( 400, __( 'Your session has expired. Please log in again.' ) );
	}
	list( $nonce, $verifier ) = $stored;
	send_cookie( cookie_name( $state ), '', 1 );
	if ( '' === $parameter( 'code' ) ) {
		fail( 403, __( 'Sorry, you are not allowed to access this page.' ) );
	}
	$tokens = redeem( $parameter( 'code' ), $verifier );
	$claims = $tokens ? read_claims( $tokens['id_token'], $nonce ) : null;
	if ( ! $claims ) {
		fail( 502, __( 'An error occurred. Please try again later.' ) );
	}
	$user = user_of( $claims );
	if ( ! $user ) {
		fail( 500, __( 'An error occurred. Please try again later.' ) );
	}
	start_session( $user, $tokens );
	nocache_headers();
	wp_redirect( admin_url() );
	exit;
}

function fail( $status, $text ) {
	nocache_headers();
	header( 'Referrer-Policy: no-referrer' );
	$link = '<a href="' . esc_url( home_url( SIGN_IN_PATH ) ) . '">' . esc_html__( 'Log in' ) . '</a>';
	wp_die( '<p>' . esc_html( $text ) . "</p><p>$link</p>", '', array( 'response' => (int) $status ) );
}

/** The WordPress user of a console user, as an administrator. Created at the first sign-in. */
function user_of( array $claims ) {
	$found = get_users(
		array(
			'meta_key'   => 'slipway_subject',
			'meta_value' => $claims['sub'],
			'number'     => 1,
		)
	);
	$user  = $found ? $found[0] : create_user( $claims );
	if ( ! $user ) {
		return null;
	}
	$user->set_role( 'administrator' );
	return $user;
}

function create_user( array $claims ) {
	$name   = sanitize_user( (string) ( $claims['preferred_username'] ?? '' ), true );
	$login  = '' !== $name && ! username_exists( $name ) ? $name : 'user-' . substr( hash( 'sha256', $claims['sub'] ), 0, 12 );
	$email  = (string) ( $claims['email'] ?? '' );
	$id     = wp_insert_user(
		array(
			'user_login'   => $login,
			// Required, but no password is accepted.
			'user_pass'    => wp_generate_password( 64 ),
			'user_email'   => email_exists( $email ) ? '' : $email,
			'display_name' => (string) ( $claims['name'] ?? $login ),
			'role'         => 'administrator',
		)
	);
	if ( is_wp_error( $id ) ) {
		return null;
	}
	add_user_meta( $id, 'slipway_subject', $claims['sub'], true );
	return get_user_by( 'id', $id );
}

/** Starts a session that ends with the access token, by which the console can end it earlier. */
function start_session( \WP_User $user, array $tokens ) {
	$seconds = max( MINUTE_IN_SECONDS, (int) ( $tokens['expires_in'] ?? HOUR_IN_SECONDS ) );
	$until   = function () use ( $seconds ) {
		return $seconds;
	};
	$add_token = function ( $session ) use ( $tokens ) {
		$session['slipway_token']     = $tokens['access_token'];
		$session['slipway_confirmed'] = time();
		return $session;
	};
	add_filter( 'auth_cookie_expiration', $until );
	add_filter( 'attach_session_information', $add_token );
	wp_set_auth_cookie( $user->ID, true, is_ssl() );
	remove_filter( 'auth_cookie_expiration', $until );
	remove_filter( 'attach_session_information', $add_token );
}

add_action(
	'init',
	function () {
		$path = strtok( (string) ( $_SERVER['REQUEST_URI'] ?? '' ), '?' );
		if ( SIGN_IN_PATH === $path ) {
			begin_sign_in();
		}
		if ( CALLBACK_PATH === $path ) {
			finish_sign_in();
		}
	},
	0
);

/**
 * Ends a session that the console no longer confirms, such as that of a user who has left the team.
 * Without a response the request is that of a guest.
 */
function confirm_session() {
	if ( ! is_user_logged_in() ) {
		return;
	}
	$manager = \WP_Session_Tokens::get_instance( get_current_user_id() );
	$token   = wp_get_session_token();
	$session = $manager->get( $token );
	if ( $session && ( $session['slipway_confirmed'] ?? 0 ) > time() - CONFIRMED_TIME ) {
		return;
	}
	list( $status, $claims ) = request_service(
		'GET',
		'/userinfo',
		array( 'Authorization' => 'Bearer ' . ( $session['slipway_token'] ?? '' ) )
	);

	$subject = get_user_meta( get_current_user_id(), 'slipway_subject', true );
	if ( 200 === $status && is_array( $claims ) && ( $claims['sub'] ?? '' ) === $subject && '' !== $subject ) {
		$session['slipway_confirmed'] = time();
		$manager->update( $token, $session );
		return;
	}
	if ( $status >= 400 && $status < 500 ) {
		$manager->destroy( $token );
		wp_clear_auth_cookie();
	}
	wp_set_current_user( 0 );
}
add_action( 'init', __NAMESPACE__ . '\confirm_session', 1 );

// Only the console signs users in: passwords, application passwords and XML-RPC are off.
add_filter(
	'authenticate',
	function ( $user, $name, $password ) {
		return '' === (string) $name && '' === (string) $password
			? $user
			: new \WP_Error( 'slipway_no_passwords', __( 'Sorry, you are not allowed to access this page.' ) );
	},
	PHP_INT_MAX,
	3
);
add_filter( 'wp_is_application_passwords_available', '__return_false' );
add_filter( 'xmlrpc_enabled', '__return_false' );
add_filter( 'allow_password_reset', '__return_false' );
add_filter( 'show_password_fields', '__return_false' );
add_filter( 'pre_option_users_can_register', '__return_zero' );

add_action(
	'login_init',
	function () {
		$action = isset( $_REQUEST['action'] ) ? (string) $_REQUEST['action'] : 'login';
		if ( 'logout' === $action || 'postpass' === $action || isset( $_GET['loggedout'] ) ) {
			return;
		}
		wp_redirect( home_url( SIGN_IN_PATH ) );
		exit;
	}
);

// The proxy resolves names, and rejects addresses that are not public. WordPress's own check would
// need a name server in the sandbox.
add_filter(
	'http_request_args',
	function ( $args ) {
		$args['reject_unsafe_urls'] = false;
		return $args;
	},
	PHP_INT_MAX
);

/** True for a URL of the site itself, which only the proxy reaches. A container has no proxy. */
function is_behind_proxy( $url ) {
	$host = (string) wp_parse_url( $url, PHP_URL_HOST );
	return setting( 'PROVIDER' ) === '' && 0 === strcasecmp( $host, (string) wp_parse_url( site_url(), PHP_URL_HOST ) );
}

// WordPress sends requests to itself past the proxy, and curl those to names below localhost.
add_filter(
	'pre_http_send_through_proxy',
	function ( $sends, $url ) {
		return is_behind_proxy( $url ) ? true : $sends;
	},
	10,
	2
);
add_action(
	'http_api_curl',
	function ( $handle, $options, $url ) {
		if ( is_behind_proxy( $url ) ) {
			curl_setopt( $handle, CURLOPT_NOPROXY, '' );
		}
	},
	10,
	3
);

// The service decides what these tests of Site Health report: the database is SQLite, the service
// updates core, and application passwords are off.
add_filter(
	'site_status_tests',
	function ( $tests ) {
		unset( $tests['direct']['sql_server'], $tests['direct']['utf8mb4_support'] );
		unset( $tests['async']['background_updates'], $tests['async']['authorization_header'] );
		return $tests;
	}
);

// The themes that come with core are shared by all sites and read-only.
register_theme_directory( ABSPATH . 'wp-content/themes' );

// The gateway sends addresses without a file to index.php, as mod_rewrite would.
add_filter( 'got_url_rewrite', '__return_true' );
