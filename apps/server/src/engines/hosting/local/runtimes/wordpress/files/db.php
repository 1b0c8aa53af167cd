<?php
/**
 * Loads WordPress's own SQLite integration instead of MySQL.
 *
 * @license GPL-2.0-or-later
 */

define( 'SQLITE_DB_DROPIN_VERSION', '1.8.0' );
define( 'DATABASE_TYPE', 'sqlite' );

require_once '/sqlite/wp-includes/sqlite/db.php';
