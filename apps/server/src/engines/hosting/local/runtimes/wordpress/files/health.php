<?php
/**
 * The health check of a site. Installs a new site first, and updates the database of a site with
 * another version of WordPress. Visitors cannot reach it: only the engine requests it.
 *
 * @license GPL-2.0-or-later
 */

const SLIPWAY_INSTALLED = '/data/installed';
/** The version that has worked here. */
const SLIPWAY_VERSION = '/data/version';
/** The version to which an update of the database has begun. */
const SLIPWAY_UPDATING = '/data/updating';

/** The first file of a new site: the keys that sign its cookies. */
function slipway_write_keys() {
	if ( file_exists( '/data/keys.php' ) ) {
		return;
	}
	$names = array( 'AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT' );
	$lines = array( '<?php' );
	foreach ( $names as $name ) {
		$lines[] = "define( '$name', '" . bin2hex( random_bytes( 32 ) ) . "' );";
	}
	slipway_write( '/data/keys.php', implode( "\n", $lines ) . "\n" );
}

/** Writes a file that is complete as soon as it exists. */
function slipway_write( $path, $content ) {
	file_put_contents( "$path.new", $content );
	rename( "$path.new", $path );
}

function slipway_copy( $from, $to ) {
	if ( ! is_dir( $from ) ) {
		copy( $from, $to );
		return;
	}
	if ( ! is_dir( $to ) ) {
		mkdir( $to, 0755, true );
	}
	foreach ( array_diff( scandir( $from ), array( '.', '..' ) ) as $name ) {
		slipway_copy( "$from/$name", "$to/$name" );
	}
}

function slipway_remove( $path ) {
	if ( ! is_dir( $path ) ) {
		unlink( $path );
		return;
	}
	foreach ( array_diff( scandir( $path ), array( '.', '..' ) ) as $name ) {
		slipway_remove( "$path/$name" );
	}
	rmdir( $path );
}

/** The folders of the site, and the plugins that come with core. Themes of core are shared. */
function slipway_prepare_folders() {
	foreach ( array( 'wp-content/plugins', 'wp-content/themes', 'wp-content/uploads', 'wp-content/upgrade', 'database' ) as $folder ) {
		if ( ! is_dir( "/data/$folder" ) ) {
			mkdir( "/data/$folder", 0755, true );
		}
	}
	if ( is_dir( '/app/wp-content/plugins' ) ) {
		slipway_copy( '/app/wp-content/plugins', '/data/wp-content/plugins' );
	}
	// db.php loads it, so it must not be in the list of plugins.
	slipway_remove( '/data/wp-content/plugins/sqlite-database-integration' );
	slipway_copy( '/slipway/db.php', '/data/wp-content/db.php' );
}

// Replaces WordPress's function, which sends an email after the installation.
function wp_new_blog_notification() {}

function slipway_install() {
	slipway_write_keys();
	slipway_prepare_folders();
	define( 'WP_INSTALLING', true );
	require '/app/wp-load.php';
	require_once ABSPATH . 'wp-admin/includes/upgrade.php';
	if ( ! is_blog_installed() ) {
		// Required, but no password is accepted: see mu-plugins/slipway.php.
		wp_install( (string) getenv( 'SLIPWAY_NAME' ), 'slipway', 'slipway@localhost.invalid', true, '', wp_generate_password( 64 ) );
	}
	update_option( 'permalink_structure', '/%postname%/' );
	update_option( 'default_comment_status', 'closed' );
	switch_theme( WP_DEFAULT_THEME );
	flush_rewrite_rules( false );
	slipway_write( SLIPWAY_INSTALLED, gmdate( 'c' ) . "\n" );
}

/** Loads WordPress with the site's plugins and theme: an error in them is a response with 500. */
function slipway_update() {
	require '/app/wp-load.php';
	if ( (int) get_option( 'db_version' ) === $GLOBALS['wp_db_version'] ) {
		return;
	}
	require_once ABSPATH . 'wp-admin/includes/upgrade.php';
	// A killed update to this version has changed a part of the database: its copy stays.
	if ( ! slipway_is_version_of( SLIPWAY_UPDATING ) ) {
		slipway_copy_database();
		slipway_write( SLIPWAY_UPDATING, getenv( 'SLIPWAY_VERSION' ) . "\n" );
	}
	wp_upgrade();
	unlink( SLIPWAY_UPDATING );
}

/** For an operator: what an update changed can be looked up. */
function slipway_copy_database() {
	$copy = '/data/database/before-update.sqlite';
	if ( file_exists( "$copy.new" ) ) {
		unlink( "$copy.new" );
	}
	( new PDO( 'sqlite:/data/database/wordpress.sqlite' ) )->exec( "VACUUM INTO '$copy.new'" );
	rename( "$copy.new", $copy );
}

/** True if a file names the version of WordPress that runs. */
function slipway_is_version_of( $path ) {
	$version = (string) getenv( 'SLIPWAY_VERSION' );
	return file_exists( $path ) && trim( file_get_contents( $path ) ) === $version;
}

header( 'Content-Type: text/plain' );
if ( ! slipway_is_version_of( SLIPWAY_VERSION ) ) {
	$lock = fopen( '/data/install.lock', 'c' );
	flock( $lock, LOCK_EX );
	clearstatcache();
	if ( ! file_exists( SLIPWAY_INSTALLED ) ) {
		slipway_install();
	} elseif ( ! slipway_is_version_of( SLIPWAY_VERSION ) ) {
		slipway_update();
	}
	slipway_write( SLIPWAY_VERSION, getenv( 'SLIPWAY_VERSION' ) . "\n" );
	flock( $lock, LOCK_UN );
}
echo 'ok';
