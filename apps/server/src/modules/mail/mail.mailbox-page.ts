import { formatUtcDate, type Locale, m } from '@slipway/phrases'
import { colorProperties } from '../../brand.ts'
import { markPicture } from '../../brand-mark.ts'
import { escapeHtml } from '../../http/html.ts'
import type { ListedMail, Mail } from './mail.store.ts'
import { markId } from './mail.template.ts'

export const mailboxStyle = `
${colorProperties}
* { box-sizing: border-box }
body { margin: 0; background: var(--canvas); color: var(--fg); font: 14px/1.5 ui-sans-serif, system-ui, sans-serif }
main { max-width: 880px; margin: 0 auto; padding: 32px 16px }
h1 { font-size: 20px; line-height: 28px; margin: 0 0 4px }
p { margin: 0 0 16px } .quiet { color: var(--muted) }
a { color: var(--accent); overflow-wrap: anywhere } a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
ul, article { list-style: none; margin: 24px 0 0; padding: 0; background: var(--surface); border: 1px solid var(--line); border-radius: 8px }
li { position: relative; display: grid; grid-template-columns: 1fr auto; gap: 0 16px; padding: 12px 16px } li + li { border-top: 1px solid var(--line) }
li:hover { background: var(--canvas) } li a { color: inherit; font-weight: 500; text-decoration: none } li a::after { content: ''; position: absolute; inset: 0 }
.badge { display: inline-block; padding: 0 8px; border: 1px solid var(--line); border-radius: 99px; font-size: 12px; line-height: 18px; color: var(--muted) }
li .quiet { grid-column: 1; overflow-wrap: anywhere } li time, li .state { grid-column: 2; text-align: right; color: var(--muted); font-variant-numeric: tabular-nums }
li time { grid-row: 1 } li .state { grid-row: 2 }
@media (max-width: 560px) { li { grid-template-columns: 1fr } li time, li .state { grid-area: auto / 1; text-align: left } }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0; padding: 16px; border-bottom: 1px solid var(--line) }
dt { color: var(--muted) } dd { margin: 0; overflow-wrap: anywhere } .body { padding: 16px; white-space: pre-line; overflow-wrap: anywhere }
main.wide { max-width: 1200px } .parts { display: grid; gap: 24px; margin: 24px 0 0 } .parts article { margin: 0 }
@media (min-width: 900px) { .parts { grid-template-columns: 1fr 1fr; align-items: start } }
@media (max-width: 899px) { .parts article:has(iframe) { order: -1 } }
iframe { display: block; width: 100%; height: 720px; border: 0; border-radius: 8px; color-scheme: light dark }
@media (max-width: 560px) { .parts article:has(iframe) { margin: 0 -16px; border-width: 1px 0; border-radius: 0 } }
`

const stateNames: Record<Mail['state'], (inputs: object, o: { locale: Locale }) => string> = {
  queued: m.mail_state_queued,
  sent: m.mail_state_sent,
  kept: m.mail_state_kept,
  failed: m.mail_state_failed,
}

const stateBadge = (locale: Locale, { state }: Pick<Mail, 'state'>) =>
  `<span class="badge">${escapeHtml(stateNames[state]({}, { locale }))}</span>`

const page = (locale: Locale, title: string, content: string, isWide = false) => `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Slipway</title><link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="/mailbox/style.css">${isWide ? '<script src="/mailbox/frame.js" defer></script>' : ''}</head>
<body><main${isWide ? ' class="wide"' : ''}>${content}</main></body>
</html>
`

const timeElement = (locale: Locale, time: Date) =>
  `<time datetime="${time.toISOString()}">${escapeHtml(
    formatUtcDate(time, locale, { month: 'short', year: true, time: true }),
  )}</time>`

function list(locale: Locale, mails: readonly ListedMail[]) {
  const rows = mails.map(
    (row) => `<li><a href="/mailbox/${row.id}">${escapeHtml(row.subject)}</a>
<span class="quiet">${escapeHtml(row.recipient)}</span>${timeElement(locale, row.createdAt)}<span class="state">${stateBadge(locale, row)}</span></li>`,
  )
  const about = `<h1>${escapeHtml(m.mail_mailbox_title({}, { locale }))}</h1><p class="quiet">${escapeHtml(m.mail_mailbox_about({}, { locale }))}</p>`
  return rows.length > 0
    ? `${about}<ul>${rows.join('\n')}</ul>`
    : `${about}<article><p class="body quiet">${escapeHtml(m.mail_mailbox_empty({}, { locale }))}</p></article>`
}

const withLinks = (text: string) =>
  escapeHtml(text).replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)

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
    : `<article><iframe sandbox="${frameRights}" src="/mailbox/${id}/html" title="${escapeHtml(m.mail_mailbox_html({}, { locale }))}"></iframe></article>`

/**
 * The document of an email's frame. It contains the brand mark, because the frame loads nothing.
 */
export const framedHtml = (html: string) =>
  html
    .replace('<head>', '<head><base target="_top">')
    .replace(`cid:${markId}`, `data:image/png;base64,${markPicture.toString('base64')}`)

const detail = (locale: Locale, row: Mail) => `${backLink(locale)}
<h1>${escapeHtml(row.subject)}</h1>
<div class="parts"><article><dl>
<dt>${escapeHtml(m.mail_mailbox_to({}, { locale }))}</dt><dd>${escapeHtml(row.recipient)}</dd>
<dt>${escapeHtml(m.mail_mailbox_time({}, { locale }))}</dt><dd>${timeElement(locale, row.createdAt)}</dd>
<dt>${escapeHtml(m.mail_mailbox_state({}, { locale }))}</dt><dd>${stateBadge(locale, row)}</dd>
</dl><div class="body">${withLinks(row.text ?? row.raw?.toString() ?? '')}</div></article>${htmlFrame(locale, row)}</div>`

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
