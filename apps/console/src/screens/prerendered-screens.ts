import { m } from '@slipway/phrases'
import { paths } from '../paths.ts'
import type { Text } from './screen-facts.ts'

/** How the build renders a screen into HTML (docs/decisions/0019). */
type PrerenderedScreen = {
  path: string
  /** For search engines and link previews. */
  description: Text
  /** Limits the HTML to guests or to signed-in users. */
  session?: 'guest' | 'user'
  /** The query string of the rendered URL. */
  search?: string
  /**
   * A regular expression for the query string and, after a `#`, the history's state. The HTML is
   * shown if it matches.
   */
  condition?: string
  /** A text that depends on the URL. The HTML has `…` in its place, and React renders it again. */
  placeholder?: string
}

/**
 * The query string of a link with `next`; `inline/show-prerendered.ts` replaces it by the page's
 * own.
 */
const nextPlaceholder = '?next=%2F'

/**
 * Excludes URLs whose screen starts with a message: an invitation, or an external login's error.
 */
export const withoutMessage = '(?!.*(invitations|[?&]error=))'

/** Stands in for the site's host, which only the URL has. */
const unknownSite = 'site.invalid'

/** The screens that the build renders into HTML. Not part of the bundle. */
export const prerenderedScreens: readonly PrerenderedScreen[] = [
  {
    path: paths.login.pattern,
    session: 'guest',
    description: m.description_login,
    search: nextPlaceholder,
    condition: withoutMessage,
  },
  {
    path: paths.signUp.pattern,
    session: 'guest',
    description: m.description_sign_up,
    search: nextPlaceholder,
    condition: withoutMessage,
  },
  { path: paths.forgotPassword.pattern, description: m.description_forgot_password },
  {
    path: paths.resetPassword.pattern,
    description: m.description_reset_password,
    search: '?token=x',
    // The token is in the address, or in the history state to which the page has moved it.
    condition: '.*([?&]token=[^&#]|"emailToken":"[^"])',
  },
  {
    path: paths.askVerify.pattern,
    session: 'user',
    description: m.description_ask_verify,
    // After a sign-up the page shows the email address, which the build cannot know.
    condition: '(?!.*"verificationEmailTo")',
  },
  { path: paths.verify.pattern, description: m.description_verify, search: '?token=x' },
  { path: paths.externalLogin.pattern, description: m.description_external_login },
  {
    path: paths.projectLogin.pattern,
    session: 'user',
    description: m.description_site_sign_in,
    search: `?client_id=x&redirect_uri=https://${unknownSite}/&state=x&response_type=code`,
    condition: '.*client_id=',
    placeholder: unknownSite,
  },
  { path: paths.terms.pattern, description: m.description_terms },
  { path: paths.privacy.pattern, description: m.description_privacy },
]
