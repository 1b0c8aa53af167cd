<?php
/**
 * The settings of every WordPress site. Core is /app, read-only; the site's own files are in /data.
 *
 * @license GPL-2.0-or-later
 */

$slipway_host   = isset( $_SERVER['HTTP_HOST'] ) ? $_SERVER['HTTP_HOST'] : getenv( 'SLIPWAY_HOST' );
$slipway_scheme = isset( $_SERVER['HTTPS'] ) ? 'https' : 'http';

// The gateway passes on requests for the site's hosts only.
define( 'WP_HOME', "$slipway_scheme://$slipway_host" );
define( 'WP_SITEURL', WP_HOME );
define( 'WP_CONTENT_DIR', '/data/wp-content' );
define( 'WP_CONTENT_URL', WP_HOME . '/wp-content' );
define( 'WPMU_PLUGIN_DIR', '/slipway/mu-plugins' );
define( 'WP_TEMP_DIR', '/tmp' );

define( 'DB_ENGINE', 'sqlite' );
define( 'DB_DIR', '/data/database' );
define( 'DB_FILE', 'wordpress.sqlite' );
// Read by code that expects MySQL; nothing connects with them.
define( 'DB_NAME', 'wordpress' );
define( 'DB_USER', '' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', '' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
$table_prefix = 'wp_';

// Core is shared by all sites: a release brings another version.
define( 'WP_AUTO_UPDATE_CORE', false );
define( 'FS_METHOD', 'direct' );
// A job of the service runs it.
define( 'DISABLE_WP_CRON', true );
define( 'WP_DEBUG', false );

$slipway_proxy = parse_url( (string) getenv( 'HTTP_PROXY' ) );
if ( isset( $slipway_proxy['host'], $slipway_proxy['port'] ) ) {
	define( 'WP_PROXY_HOST', $slipway_proxy['host'] );
	define( 'WP_PROXY_PORT', (string) $slipway_proxy['port'] );
}

require '/data/keys.php';

if ( ! defined( 'ABSPATH' ) ) {
	define( 'ABSPATH', '/app/' );
}
require_once ABSPATH . 'wp-settings.php';
