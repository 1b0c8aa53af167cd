/** The query of a link that carries `next` along: the page's script puts the address of the page there. */
export const nextPlaceholder = '?next=%2F'

/** Not where the screen begins with a message: an invitation, or the error of an external login. */
export const withoutMessage = '(?!.*(invitations|[?&]error=))'
