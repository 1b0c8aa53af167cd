import type { Seller } from '@slipway/contract/invoices'
import { type Locale, m } from '@slipway/phrases'
import { accentFill, colors } from '../../brand.ts'
import { escapeHtml } from '../../http/html.ts'

type Text = (inputs: object, options: { locale: Locale }) => string

/** The label above the title of each kind of email, in the color of what it says. */
const kinds = {
  actionNeeded: { label: m.mail_kind_action_needed, tone: 'danger' },
  resolved: { label: m.mail_kind_resolved, tone: 'success' },
  security: { label: m.mail_kind_security, tone: 'info' },
  account: { label: m.mail_kind_account, tone: 'muted' },
  team: { label: m.mail_kind_team, tone: 'muted' },
  billing: { label: m.mail_kind_billing, tone: 'muted' },
  support: { label: m.mail_kind_support, tone: 'muted' },
} satisfies Record<string, { label: Text; tone: keyof typeof colors }>

/** A rule separates the total, and the first row of a group, from the rows above. */
export type EmailRow = {
  label: string
  value: string
  isTotal?: boolean
  startsGroup?: boolean
  /** For a value that may be long, such as a name. */
  wraps?: boolean
}

type Action = {
  label: string
  url: string
  /** For a button that nobody needs to click. */
  isQuiet?: boolean
  /** Shows the URL for pasting: it may be needed in another browser. */
  showsUrl?: boolean
}

/** The content of an email: plain text in the recipient's language. */
export type Email = {
  locale: Locale
  kind: keyof typeof kinds
  subject: string
  /** The headline, if it is not the subject. */
  title?: string
  /** The preview after the subject in lists; by default the quote or the second paragraph. */
  preheader?: string
  /** The amount with which an email about money begins instead of a title, and the line below. */
  lead?: { amount: string; text: string; hasFailed?: boolean }
  paragraphs: string[]
  /** A table after the paragraphs: when and where it happened, or the lines of a receipt. */
  rows?: EmailRow[]
  /** A user's message, verbatim, with line breaks. */
  quote?: string
  /** When to click the button, or that nothing needs to be done. */
  advice?: string
  action?: Action
  /** What follows the first action. */
  nextAction?: Action
  /** Further information, or instructions for a recipient who did not expect the email. */
  note?: string
  /** A command for an operator's terminal. */
  command?: string
  /** Why the recipient gets the email, for its footer; by default, because of their account. */
  reason?: string
  /** Who sends the email, for its footer; by default, the seller of the server's settings. */
  seller?: Seller
}

/** The content id of the brand mark (RFC 2392): email clients remove drawings and block links. */
export const markId = 'mark@slipway'

/** Characters that make text look like a URL or an email address; IDNA dots included (UTS #46). */
const linkSeparators = /[.:@。．｡․：＠](?=\S)/gu

/** A date or the name of a card that the HTML keeps on one line; the plain text may break it. */
export const unbroken = (text: string) => text.replace(/\s/g, '\u00a0')

const maxUnbrokenLength = 22

/** A name in a title: on one line if a phone has room for it. */
export const inTitle = (name: string) =>
  name.length > maxUnbrokenLength ? name : name.replaceAll(' ', '\u00a0')

/** The text with the ordinary spaces of plain text. */
export const breakable = (text: string) => text.replaceAll('\u00a0', ' ')

/**
 * A user's name for an email to another user. Email clients turn anything that looks like a URL or
 * an address into a link; a hair space, which is barely visible, prevents that.
 */
export const asName = (name: string) => breakable(name).replace(linkSeparators, '$&\u200a')

const taxNumberOf = ({ taxNumber }: Seller, locale: Locale) =>
  taxNumber === null ? [] : [m.invoices_tax_number({ number: taxNumber }, { locale })]

/** Who sends the email: name and address, and the tax number. */
const senderOf = ({ locale, seller }: Email) =>
  seller ? [[seller.name, ...seller.address].join(', '), ...taxNumberOf(seller, locale)] : []

const actionsOf = ({ action, nextAction }: Email) =>
  [action, nextAction].filter((each) => each !== undefined)

/** Why the recipient gets the email. */
const reasonOf = ({ reason, locale }: Email) => reason ?? m.mail_reason_account({}, { locale })

/** The email as plain text, with the action's URL on its own line. */
export function asText(email: Email, consoleUrl: string) {
  const { lead, paragraphs, rows, quote, advice, note, command } = email
  const beforeQuote = [
    ...(lead ? [`${lead.amount}\n${lead.text}`] : []),
    ...paragraphs,
    ...(rows ? [rows.map(({ label, value }) => `${label}: ${value}`).join('\n')] : []),
  ]
  return [
    ...beforeQuote.map(breakable),
    ...(quote === undefined ? [] : [quote]),
    ...(advice ? [breakable(advice)] : []),
    ...actionsOf(email).map(({ label, url }) => `${label}:\n${url}`),
    ...(note ? [note] : []),
    ...(command ? [command] : []),
    [reasonOf(email), ...senderOf(email), consoleUrl].join('\n'),
  ].join('\n\n')
}

/** Clients that know no themes show the styles of the attributes, which are light. */
const themes = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.canvas{background:${colors.canvas[1]}!important}
.surface{background:${colors.surface[1]}!important;border-color:${colors.line[1]}!important}
.line{border-color:${colors.line[1]}!important}
.fg{color:${colors.fg[1]}!important}
.muted{color:${colors.muted[1]}!important}
.danger{color:${colors.danger[1]}!important}
.success{color:${colors.success[1]}!important}
.info{color:${colors.info[1]}!important}
}
@media (max-width:480px){
.frame{padding:16px 8px!important}
.inside{padding:20px 16px!important}
.footer{padding:16px 17px 0!important}
.title{font-size:20px!important;line-height:28px!important}
.button,.button a{display:block!important;text-align:center}
.button tbody,.button tr,.button td{display:block!important}
}`

const mark = `<img src="cid:${markId}" width="28" height="28" alt="" style="display:block;border:0">`

/** Keeps the text after the preheader out of lists of emails: invisible characters and spaces. */
const preheaderFiller = '&#847;&#8203;&#160;'.repeat(60)

/** Escapes a text. What is `unbroken`, and a short word with a hyphen, stays on one line. */
const formatted = (text: string) =>
  escapeHtml(text).replace(/[^ ]+/g, (word) =>
    word.includes('\u00a0') || (word.includes('-') && word.length <= maxUnbrokenLength)
      ? `<span style="white-space:nowrap">${word}</span>`
      : word,
  )

const paragraphOf = (text: string) =>
  `<p class="fg" style="margin:0 0 16px;font-size:15px;line-height:24px;color:${colors.fg[0]}">${formatted(text)}</p>`

const noteOf = (note: string) =>
  `<p class="muted" style="margin:24px 0 0;font-size:13px;line-height:20px;color:${colors.muted[0]}">${formatted(note)}</p>`

// `<br>` for clients without `pre-wrap`; the others also keep the spaces.
const quoteOf = (quote: string) =>
  `<div class="fg line" style="margin:0 0 16px;padding-left:16px;border-left:3px solid ${colors.line[0]};white-space:pre-wrap;word-break:break-word;font-size:15px;line-height:24px;color:${colors.fg[0]}">${escapeHtml(quote).replaceAll('\n', '<br>')}</div>`

/** The last three decimals are dimmed: a card is charged whole cents. */
function formattedValue(value: string) {
  const [, cents, decimals] = /^(\S+[.,]\d{2})(\d{3})$/.exec(value) ?? []
  if (cents === undefined) return escapeHtml(value)
  return `${escapeHtml(cents)}<span class="muted" style="font-weight:400;color:${colors.muted[0]}">${decimals}</span>`
}

const rule = `border-top:1px solid ${colors.line[0]};`

function tableOf(rows: NonNullable<Email['rows']>) {
  const lines = rows.map(({ label, value, isTotal, startsGroup, wraps }, index) => {
    const isRuled = index === 0 || isTotal || startsGroup
    const next = rows[index + 1]
    const isLast = !next || next.isTotal || next.startsGroup
    const cell = `padding:${isRuled ? 12 : 3}px 0 ${isLast ? 12 : 3}px;${isRuled ? rule : ''}font-size:15px;line-height:24px;vertical-align:top;${isTotal ? 'font-weight:600;' : ''}`
    const tone = isTotal ? 'fg' : 'muted'
    const breaks = wraps ? 'overflow-wrap:anywhere' : 'white-space:nowrap'
    return `<tr><td class="${tone} line" style="${cell}color:${colors[tone][0]}">${formatted(label)}</td><td class="fg line" align="right" style="${cell}padding-left:16px;${breaks};color:${colors.fg[0]}">${formattedValue(value)}</td></tr>`
  })
  return `<table width="100%" cellpadding="0" cellspacing="0" class="line" style="margin:24px 0;border-collapse:collapse;border-bottom:1px solid ${colors.line[0]}">${lines.join('')}</table>`
}

function labelOf({ locale, kind }: Email) {
  const { label, tone } = kinds[kind]
  return `<p class="${tone}" style="margin:0 0 4px;font-size:12px;line-height:16px;font-weight:600;color:${colors[tone][0]}">${escapeHtml(label({}, { locale }))}</p>`
}

const heading = (text: string, style: string, className = 'fg') =>
  `<h1 class="${className}" style="${style};font-weight:600;overflow-wrap:anywhere;color:${colors.fg[0]}">${formatted(text)}</h1>`

/** The title, or the amount with the line below it. */
const titleOf = ({ subject, title = subject, lead }: Email) => {
  const tone = lead?.hasFailed ? 'danger' : 'muted'
  return lead
    ? heading(lead.amount, 'margin:0;font-size:32px;line-height:40px') +
        `<p class="${tone}" style="margin:4px 0 24px;font-size:15px;line-height:24px;color:${colors[tone][0]}">${formatted(lead.text)}</p>`
    : heading(title, 'margin:0 0 16px;font-size:24px;line-height:32px', 'fg title')
}

// A cell with a background: Outlook ignores the padding of links.
function buttonOf({ label, url, isQuiet }: Action) {
  const cell = isQuiet
    ? `class="line" style="border:1px solid ${colors.line[0]};border-radius:6px"`
    : `bgcolor="${accentFill}" style="border:1px solid ${accentFill};border-radius:6px;background:${accentFill}"`
  const text = isQuiet ? `class="fg" style="color:${colors.fg[0]};` : 'style="color:#ffffff;'
  return `<td ${cell}><a href="${escapeHtml(url)}" ${text}display:inline-block;padding:11px 17px;font-size:15px;line-height:20px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></td>`
}

/** The buttons beside each other, on a phone below each other. */
const buttonsOf = (actions: readonly Action[]) =>
  `<table role="presentation" class="button" cellpadding="0" cellspacing="0" style="margin:24px 0 0"><tr>${actions.map(buttonOf).join('<td style="padding:4px"></td>')}</tr></table>`

const commandOf = (command: string) =>
  `<div class="canvas fg" style="margin:8px 0 0;padding:8px 12px;border-radius:6px;background:${colors.canvas[0]};overflow-wrap:anywhere;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:13px;line-height:20px;color:${colors.fg[0]}">${escapeHtml(command)}</div>`

/** A URL that breaks after its slashes and parameters; a copy of it has no breaks. */
const breakingUrl = (url: string) =>
  url
    .split(/(?<=[^:/]\/|[?&=])/)
    .map(escapeHtml)
    .join('<wbr>')

/** Below everything else, because few recipients need it. */
function addressOf(url: string, locale: Locale) {
  const hint = escapeHtml(m.mail_paste_link({}, { locale }))
  // A link, because email clients make one of the part before the first `<wbr>` only.
  const address = `<a class="muted" href="${escapeHtml(url)}" style="color:${colors.muted[0]};overflow-wrap:anywhere">${breakingUrl(url)}</a>`
  return `<p class="muted line" style="margin:24px 0 0;padding-top:16px;border-top:1px solid ${colors.line[0]};font-size:12px;line-height:18px;color:${colors.muted[0]}">${hint}<br>${address}</p>`
}

function footerHtml(email: Email, consoleUrl: string) {
  const linkTo = (url: string, label: Text) =>
    `<a class="muted" href="${escapeHtml(url)}" style="color:${colors.muted[0]}">${escapeHtml(label({}, { locale: email.locale }))}</a>`
  const links = [
    linkTo(consoleUrl, m.mail_console),
    linkTo(`${consoleUrl}/support/tickets`, m.shell_support),
  ]
  const [sender, ...taxNumber] = senderOf(email).map(escapeHtml)
  const lines = [escapeHtml(reasonOf(email)), sender, [...taxNumber, ...links].join(' · ')]
  return `<p class="muted" style="margin:0;font-size:12px;line-height:18px;color:${colors.muted[0]}">${lines.filter((line) => line !== undefined).join('<br>')}</p>`
}

/** The email as HTML for all clients, in both themes: tables, inline styles, nothing loaded. */
export function asHtml(email: Email, consoleUrl: string) {
  const { locale, subject, paragraphs, rows, quote, advice, action, note, command } = email
  const preheader = email.preheader ?? quote?.slice(0, 150) ?? paragraphs[1] ?? ''
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${themes}</style></head>
<body class="canvas" style="margin:0;background:${colors.canvas[0]};font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preheader)}${preheaderFiller}</div>
<table role="presentation" class="canvas" width="100%" cellpadding="0" cellspacing="0" style="background:${colors.canvas[0]}"><tr><td class="frame" align="center" style="padding:32px 16px">
<table role="presentation" class="surface" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:${colors.surface[0]};border:1px solid ${colors.line[0]};border-radius:12px"><tr><td class="inside" style="padding:32px">
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 24px"><tr><td>${mark}</td><td class="fg" style="padding-left:10px;font-size:16px;font-weight:600;color:${colors.fg[0]}">Slipway</td></tr></table>
${labelOf(email)}
${titleOf(email)}
${paragraphs.map(paragraphOf).join('\n')}
${rows ? tableOf(rows) : ''}
${quote === undefined ? '' : quoteOf(quote)}
${advice ? paragraphOf(advice) : ''}
${action ? buttonsOf(actionsOf(email)) : ''}
${note ? noteOf(note) : ''}
${command ? commandOf(command) : ''}
${action?.showsUrl ? addressOf(action.url, locale) : ''}
</td></tr></table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px"><tr><td class="footer" style="padding:16px 33px 0">${footerHtml(email, consoleUrl)}</td></tr></table>
</td></tr></table>
</body>
</html>
`
}
