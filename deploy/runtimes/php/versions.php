<?php
/** What this image runs, for the project's page. Visitors cannot request this script. */

header( 'Content-Type: application/json' );
echo json_encode( array( 'php' => PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION . '.' . PHP_RELEASE_VERSION, 'sqlite' => SQLite3::version()['versionString'] ) );
