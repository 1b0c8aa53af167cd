/**
 * The query string of a link with `next`; `inline/show-prerendered.ts` replaces it by the page's
 * own.
 */
export const nextPlaceholder = '?next=%2F'

/**
 * Excludes URLs whose screen starts with a message: an invitation, or an external login's error.
 */
export const withoutMessage = '(?!.*(invitations|[?&]error=))'
