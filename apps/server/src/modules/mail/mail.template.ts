import { type Locale, m } from '@slipway/phrases'
import { accentFill } from '../../brand.ts'
import { escapeHtml } from '../../http/html.ts'

/** The content of an email: plain text in the recipient's language. */
export type Email = {
  locale: Locale
  subject: string
  paragraphs: string[]
  /** A user's message, verbatim, with line breaks. */
  quote?: string
  /** The link of the email's button. */
  action?: { label: string; url: string }
  /** Why the recipient got the email, or what to do if they did not expect it. */
  note?: string
}

/** Characters that make text look like a URL or an email address; IDNA dots included (UTS #46). */
const linkSeparators = /[.:@。．｡․：＠](?=\S)/gu

/**
 * A user's name for an email to another user. Email clients turn anything that looks like a URL or
 * an address into a link; a hair space, which is barely visible, prevents that.
 */
export const asName = (name: string) => name.replace(linkSeparators, '$&\u200a')

/** The email as plain text, with the action's URL on its own line. */
export function asText({ locale, paragraphs, quote, action, note }: Email) {
  return [
    ...paragraphs,
    ...(quote === undefined ? [] : [quote]),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(note ? [note] : []),
    m.mail_signature({}, { locale }),
  ].join('\n\n')
}

/** The email as HTML for all clients: a table, inline styles, nothing loaded. */
export function asHtml({ locale, subject, paragraphs, quote, action, note }: Email) {
  const paragraph = (text: string) =>
    `<p style="margin:0 0 16px;font-size:15px;line-height:24px;color:#27272a">${escapeHtml(text)}</p>`
  // `<br>` for clients without `pre-wrap`; the others also keep the spaces.
  const quoteBlock =
    quote === undefined
      ? ''
      : `<div style="margin:0 0 16px;padding-left:16px;border-left:3px solid #d4d4d8;white-space:pre-wrap;word-break:break-word;font-size:15px;line-height:24px;color:#27272a">${escapeHtml(quote).replaceAll('\n', '<br>')}</div>`
  const button = action
    ? `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:${accentFill};color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;line-height:20px;color:#52525b;word-break:break-all">${escapeHtml(action.url)}</p>`
    : ''
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:#f4f4f5;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<p style="margin:0 0 16px;font-size:18px;line-height:24px;font-weight:700;letter-spacing:-0.3px;color:${accentFill}">Slipway</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #e4e4e7;border-radius:8px"><tr><td style="padding:32px">
<h1 style="margin:0 0 24px;font-size:20px;line-height:28px;color:#18181b">${escapeHtml(subject)}</h1>
${paragraphs.map(paragraph).join('\n')}
${quoteBlock}
${button}
${note ? `<p style="margin:24px 0 0;font-size:13px;line-height:20px;color:#52525b">${escapeHtml(note)}</p>` : ''}
</td></tr></table>
<p style="margin:16px 0 0;font-size:13px;color:#52525b">${escapeHtml(m.mail_signature({}, { locale }))}</p>
</td></tr></table>
</body>
</html>
`
}
