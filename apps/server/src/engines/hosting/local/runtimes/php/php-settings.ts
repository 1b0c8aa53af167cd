/** Settings that PHP reads once, at its start, wherever it runs. */
export const commonSettings = [
  'expose_php=0',
  // Errors go to the site's log, not to the gateway.
  'fastcgi.logging=0',
  'opcache.memory_consumption=64',
  'opcache.interned_strings_buffer=8',
  'opcache.max_accelerated_files=10000',
  // An updated plugin runs at once.
  'opcache.revalidate_freq=0',
]
