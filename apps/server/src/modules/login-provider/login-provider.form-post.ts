import { createHash } from 'node:crypto'
import { type Locale, m } from '@slipway/phrases'
import { escapeHtml } from '../../http/html.ts'

/** The parameters of a response (RFC 6749 §4.1.2, RFC 9207). No others reach the client. */
const responseParameters = ['code', 'state', 'iss', 'error', 'error_description']

const script = 'document.forms[0].submit()'
const scriptHash = createHash('sha256').update(script).digest('base64')

/**
 * The policy of the page. It has no `form-action`: browsers apply that to the redirects of the
 * client too, which may lead anywhere.
 */
export const formPostPolicy = `default-src 'none'; script-src 'sha256-${scriptHash}'; base-uri 'none'; frame-ancestors 'none'`

/** A page that posts the response to the client (OAuth 2.0 Form Post Response Mode §2). */
export function formPostPage(
  locale: Locale,
  redirectUri: string,
  form: Record<string, string | undefined>,
) {
  const fields = responseParameters
    .filter((name) => form[name] !== undefined)
    .map((name) => `<input type="hidden" name="${name}" value="${escapeHtml(form[name] ?? '')}">`)
  const { host } = new URL(redirectUri)
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(m.oauth_code_title({}, { locale }))}</title></head>
<body><form method="post" action="${escapeHtml(redirectUri)}">${fields.join('')}
<noscript><button>${escapeHtml(m.oauth_continue_to({ host }, { locale }))}</button></noscript></form><script>${script}</script></body>
</html>
`
}
