import { formatUtcDate, type Locale, m } from '@slipway/phrases'
import { colorProperties, mark } from '../../brand.ts'
import { markPicture } from '../../brand-mark.ts'
import { escapeHtml } from '../../http/html.ts'
import type { ListedMail, Mail } from './mail.store.ts'
import { markId } from './mail.template.ts'

export const mailboxStyle = `
${colorProperties}
* { box-sizing: border-box }
body { margin: 0; background: var(--canvas); color: var(--fg); font: 14px/20px Geist, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
main { max-width: 880px; margin: 0 auto; padding: 24px 16px }
.brand { display: flex; align-items: center; gap: 8px; margin: 0 0 24px; font-size: 16px; font-weight: 600; letter-spacing: -.01em } .brand svg { width: 28px; height: 28px }
h1 { font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -.02em; margin: 0 0 4px } h2 { font-size: 14px; font-weight: 600; margin: 24px 0 8px }
p { margin: 0 0 16px } .quiet { color: var(--muted) } .whole { white-space: nowrap }
a { color: var(--accent); overflow-wrap: anywhere } a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
ul, .empty { list-style: none; margin: 0; padding: 0; background: var(--surface); border: 1px solid var(--line); border-radius: 6px } .empty { padding: 16px }
li { position: relative; display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 16px; padding: 10px 16px } li + li { border-top: 1px solid var(--line) }
li:hover { background: var(--canvas) } li a { color: inherit; font-weight: 500; text-decoration: none } li a::after { content: ''; position: absolute; inset: 0 }
.badge { display: inline-block; padding: 0 8px; border: 1px solid var(--line); border-radius: 99px; font-size: 12px; line-height: 18px; color: var(--muted) }
li .quiet { grid-area: 2 / 1; overflow-wrap: anywhere } li time { grid-area: 1 / 2; color: var(--muted); font-variant-numeric: tabular-nums } li .badge { grid-area: 2 / 2; justify-self: end }
@media (max-width: 560px) { li a, li .quiet { overflow: hidden; text-overflow: ellipsis; white-space: nowrap } }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 12px 0 24px } dt { color: var(--muted) } dd { margin: 0; overflow-wrap: anywhere }
iframe { display: block; width: 100%; height: 720px; border: 0; border-top: 1px solid var(--line); color-scheme: light dark }
.text { padding: 24px 0; border-top: 1px solid var(--line); white-space: pre-line; overflow-wrap: anywhere; color: var(--muted); font: 12px/18px ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace }
@media (min-width: 1200px) { main:has(.mail) { max-width: 1240px } .mail { display: grid; grid-template-columns: minmax(0, 1fr) 400px; gap: 24px } }
@media (max-width: 560px) { iframe { width: calc(100% + 32px); margin: 0 -16px } }
`

const stateNames: Record<Mail['state'], (inputs: object, o: { locale: Locale }) => string> = {
  queued: m.mail_state_queued,
  sent: m.mail_state_sent,
  kept: m.mail_state_kept,
  failed: m.mail_state_failed,
}

const stateBadge = (locale: Locale, { state }: Pick<Mail, 'state'>) =>
  `<span class="badge">${escapeHtml(stateNames[state]({}, { locale }))}</span>`

/** A phrase that does not break at the hyphen of "e-posta". */
const phrase = (text: string) =>
  escapeHtml(text).replace(/(?<!\p{L})\p{L}-\p{L}+/gu, '<span class="whole">$&</span>')

const page = (locale: Locale, title: string, content: string, hasFrame = false) => `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Slipway</title><link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="/mailbox/style.css">${hasFrame ? '<script src="/mailbox/frame.js" defer></script>' : ''}</head>
<body><main><p class="brand">${mark}Slipway</p>
${content}</main></body>
</html>
`

const timeElement = (locale: Locale, time: Date) =>
  `<time datetime="${time.toISOString()}">${escapeHtml(
    formatUtcDate(time, locale, { month: 'short', year: true, time: true }),
  )}</time>`

/** A row. Only a failure has a badge, as no other email in the list was sent either. */
const listItem = (row: ListedMail, locale: Locale) =>
  `<li><a href="/mailbox/${row.id}">${escapeHtml(row.subject)}</a>
<span class="quiet">${escapeHtml(row.recipient)}</span><time datetime="${row.createdAt.toISOString()}">${row.createdAt.toISOString().slice(11, 16)} UTC</time>${row.state === 'failed' ? stateBadge(locale, row) : ''}</li>`

/** The emails, newest first, under the days on which they were queued. */
function list(locale: Locale, mails: readonly ListedMail[]) {
  const days = Map.groupBy(mails, ({ createdAt }) =>
    formatUtcDate(createdAt, locale, { month: 'long', year: true }),
  )
  const sections = [...days].map(
    ([day, rows]) =>
      `<h2>${escapeHtml(day)}</h2><ul>${rows.map((row) => listItem(row, locale)).join('\n')}</ul>`,
  )
  const about = `<h1>${phrase(m.mail_mailbox_title({}, { locale }))}</h1><p class="quiet">${phrase(m.mail_mailbox_about({}, { locale }))}</p>`
  return sections.length > 0
    ? `${about}${sections.join('\n')}`
    : `${about}<p class="empty quiet">${phrase(m.mail_mailbox_empty({}, { locale }))}</p>`
}

/** Plain text or the source of an email as HTML, with its URLs as links. */
const withLinks = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => {
      const escaped = escapeHtml(part)
      // Every second part is a URL, which the group captures.
      return index % 2 === 1 ? `<a href="${escaped}">${escaped}</a>` : escaped
    })
    .join('')

const backLink = (locale: Locale) =>
  `<p><a href="/mailbox">${escapeHtml(m.mail_mailbox_back({}, { locale }))}</a></p>`

/**
 * The permissions of the frame: links replace the page that shows the email, and that page may
 * measure the email. The frame runs no scripts, so the origin gives the email no access.
 */
export const frameRights = 'allow-same-origin allow-top-navigation-by-user-activation'

/** Makes the frame as high as the email in it. */
export const frameScript = `
const fit = () => {
  for (const frame of document.querySelectorAll('iframe'))
    frame.style.height = frame.contentDocument.body.offsetHeight + 'px'
}
addEventListener('load', fit)
addEventListener('resize', fit)
`

/** The email as HTML, in a frame without scripts. */
const htmlFrame = (locale: Locale, { id, html }: Mail) =>
  html === null
    ? ''
    : `<iframe sandbox="${frameRights}" src="/mailbox/${id}/html" title="${escapeHtml(m.mail_mailbox_html({}, { locale }))}"></iframe>`

/**
 * The document of an email's frame. It contains the brand mark, because the frame loads nothing.
 */
export const framedHtml = (html: string) =>
  html
    .replace('<head>', '<head><base target="_top">')
    .replace(`cid:${markId}`, `data:image/png;base64,${markPicture.toString('base64')}`)

const detail = (locale: Locale, row: Mail) => `${backLink(locale)}
<h1>${escapeHtml(row.subject)}</h1>
<dl>
<dt>${escapeHtml(m.mail_mailbox_to({}, { locale }))}</dt><dd>${escapeHtml(row.recipient)}</dd>
<dt>${escapeHtml(m.mail_time({}, { locale }))}</dt><dd>${timeElement(locale, row.createdAt)}</dd>
<dt>${escapeHtml(m.mail_mailbox_state({}, { locale }))}</dt><dd>${stateBadge(locale, row)}</dd>
</dl>
<div${row.html === null ? '' : ' class="mail"'}>${htmlFrame(locale, row)}
<div class="text">${withLinks(row.text ?? row.raw?.toString() ?? '')}</div></div>`

export const mailboxPage = (locale: Locale, mails: readonly ListedMail[]) =>
  page(locale, m.mail_mailbox_title({}, { locale }), list(locale, mails))

export const mailPage = (locale: Locale, mail: Mail) =>
  page(locale, mail.subject, detail(locale, mail), mail.html !== null)

export const missingMailPage = (locale: Locale) =>
  page(
    locale,
    m.mail_mailbox_title({}, { locale }),
    `<p>${escapeHtml(m.mail_mailbox_missing({}, { locale }))}</p>${backLink(locale)}`,
  )
