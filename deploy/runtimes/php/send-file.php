<?php
/**
 * Sends a file of the site's folder to the gateway, which has no access to it. The gateway says
 * which one, and what its headers are; visitors cannot request this script.
 */

$folder = '/data/' . $_SERVER['SLIPWAY_FOLDER'];
$path   = realpath( $folder . '/' . $_SERVER['SLIPWAY_FILE'] );
// Links are not followed.
if ( $path === false || $path !== $folder . '/' . $_SERVER['SLIPWAY_FILE'] || ! is_file( $path ) ) {
	http_response_code( 404 );
	header( 'X-Slipway-File: missing' );
	exit;
}
$size = filesize( $path );
$etag = sprintf( '"%x.%x.%x"', fileinode( $path ), $size, filemtime( $path ) );
header( 'Content-Type: ' . $_SERVER['SLIPWAY_TYPE'] );
header( 'Cache-Control: ' . $_SERVER['SLIPWAY_CACHING'] );
header( 'X-Content-Type-Options: nosniff' );
header( 'Accept-Ranges: bytes' );
header( "ETag: $etag" );
if ( in_array( $etag, array_map( 'trim', explode( ',', $_SERVER['HTTP_IF_NONE_MATCH'] ?? '' ) ), true ) ) {
	http_response_code( 304 );
	exit;
}
$start  = 0;
$end    = $size - 1;
$usable = ! isset( $_SERVER['HTTP_IF_RANGE'] ) || $_SERVER['HTTP_IF_RANGE'] === $etag;
// One range (RFC 9110 §14.2); others are ignored.
if ( $usable && preg_match( '/^bytes=(\d*)-(\d*)$/', $_SERVER['HTTP_RANGE'] ?? '', $range ) && "$range[1]$range[2]" !== '' ) {
	$start = $range[1] === '' ? max( 0, $size - (int) $range[2] ) : (int) $range[1];
	$end   = $range[1] === '' || $range[2] === '' ? $size - 1 : min( (int) $range[2], $size - 1 );
	if ( $start > $end ) {
		http_response_code( 416 );
		header( "Content-Range: bytes */$size" );
		exit;
	}
	http_response_code( 206 );
	header( "Content-Range: bytes $start-$end/$size" );
}
$length = $end - $start + 1;
header( "Content-Length: $length" );
if ( $_SERVER['REQUEST_METHOD'] === 'HEAD' || $length === 0 ) {
	exit;
}
$file = fopen( $path, 'rb' );
fseek( $file, $start );
while ( $length > 0 && ! feof( $file ) ) {
	$part    = fread( $file, min( $length, 65536 ) );
	$length -= strlen( $part );
	echo $part;
	flush();
}
