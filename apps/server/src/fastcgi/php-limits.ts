/** The longest time of a request, in seconds. php-fpm ends it then, and the gateway's wait. */
export const phpRequestSeconds = 300
