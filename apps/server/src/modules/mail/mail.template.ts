import { type Locale, m } from '@slipway/phrases'
import { escapeHtml } from '../../http/html.ts'

/** What a mail says, before it is laid out. All of it is plain text in the reader's language. */
export type Email = {
  locale: Locale
  subject: string
  paragraphs: string[]
  /** What somebody wrote, of any number of lines, as they typed it. */
  quote?: string
  /** The one thing to press. */
  action?: { label: string; url: string }
  /** Why they got it, or what to do when they did not ask for it. */
  note?: string
}

/** What makes an address of letters: dots, and what IDNA takes for one (UTS #46), colons and at signs. */
const joinsAddresses = /[.:@。．｡․：＠](?=\S)/gu

/**
 * A name that somebody chose, for a letter to somebody else. Mail programs make a link of whatever looks
 * like a web or an e-mail address; a hair space, which is hardly seen, keeps them from it.
 */
export const asName = (name: string) => name.replace(joinsAddresses, '$&\u200a')

/** The letter as plain text, the address of its action on a line of its own. */
export function asText({ locale, paragraphs, quote, action, note }: Email) {
  return [
    ...paragraphs,
    ...(quote === undefined ? [] : [quote]),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(note ? [note] : []),
    m.mail_signature({}, { locale }),
  ].join('\n\n')
}

/** The letter as HTML that mail programs agree on: a table, styles in place, nothing fetched. */
export function asHtml({ locale, subject, paragraphs, quote, action, note }: Email) {
  const paragraph = (text: string) =>
    `<p style="margin:0 0 16px;font-size:15px;line-height:24px;color:#27272a">${escapeHtml(text)}</p>`
  // Some mail programs know no `pre-wrap`: they break the lines, and the others keep the blanks, too.
  const quoted =
    quote === undefined
      ? ''
      : `<div style="margin:0 0 16px;padding-left:16px;border-left:3px solid #d4d4d8;white-space:pre-wrap;word-break:break-word;font-size:15px;line-height:24px;color:#27272a">${escapeHtml(quote).replaceAll('\n', '<br>')}</div>`
  const button = action
    ? `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#1d4ed8;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;line-height:20px;color:#52525b;word-break:break-all">${escapeHtml(action.url)}</p>`
    : ''
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:#f4f4f5;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #e4e4e7;border-radius:8px"><tr><td style="padding:32px">
<h1 style="margin:0 0 24px;font-size:20px;line-height:28px;color:#18181b">${escapeHtml(subject)}</h1>
${paragraphs.map(paragraph).join('\n')}
${quoted}
${button}
${note ? `<p style="margin:24px 0 0;font-size:13px;line-height:20px;color:#52525b">${escapeHtml(note)}</p>` : ''}
</td></tr></table>
<p style="margin:16px 0 0;font-size:13px;color:#52525b">${escapeHtml(m.mail_signature({}, { locale }))}</p>
</td></tr></table>
</body>
</html>
`
}
