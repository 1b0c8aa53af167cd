import { type Locale, m } from '@slipway/phrases'
import { escapeHtml } from '../../http/html.ts'

/** One has an unverified address. */
export const exampleUsers = [
  { name: 'Example Person', email: 'example.person@example.com', verified: true },
  { name: 'Example Colleague', email: 'example.colleague@example.com', verified: true },
  { name: 'Example Stranger', email: 'example.stranger@example.com', verified: false },
]

export const pickStyle = `
:root { color-scheme: light dark; --text: #18181b; --quiet: #52525b; --line: #e4e4e7; --control: #71717a; --back: #fafafa; --card: #fff; --accent: #0a6670; --on-accent: #fff; --bad: #b91c1c }
@media (prefers-color-scheme: dark) { :root { --text: #f4f4f5; --quiet: #a1a1aa; --line: #3f3f46; --control: #a1a1aa; --back: #09090b; --card: #131316; --accent: #62cdd6; --on-accent: #09090b; --bad: #fca5a5 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--text); font: 14px/1.5 ui-sans-serif, system-ui, sans-serif }
main { max-width: 400px; margin: 0 auto; padding: 48px 16px }
h1 { font-size: 20px; line-height: 28px; margin: 0 0 4px }
h2 { font-size: 14px; margin: 24px 0 8px }
p { margin: 0 0 16px } .quiet { color: var(--quiet) } .bad { color: var(--bad) }
form { margin: 0 0 8px }
label { display: block; margin: 0 0 12px }
input[type=text], input[type=email] { display: block; width: 100%; margin-top: 4px; padding: 8px; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--control); border-radius: 6px }
button { font: inherit; cursor: pointer; border-radius: 6px; border: 1px solid var(--line); background: var(--card); color: inherit; padding: 8px 12px }
button.person { display: block; width: 100%; text-align: left }
button.person span { display: block; color: var(--quiet); overflow-wrap: anywhere }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`

const hidden = (name: string, value: string) =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`

/** The page on which a developer picks a user. `isInvalid`: the submitted form was invalid. */
export function pickPage(locale: Locale, base: string, uid: string, isInvalid: boolean) {
  const t = (phrase: (inputs: object, options: { locale: Locale }) => string) =>
    escapeHtml(phrase({}, { locale }))
  const action = `${base}/pick/${encodeURIComponent(uid)}`
  const userForm = ({ name, email, verified }: (typeof exampleUsers)[number]) => `
<form method="post" action="${action}">${hidden('name', name)}${hidden('email', email)}${verified ? hidden('verified', 'yes') : ''}
<button class="person"><strong>${escapeHtml(name)}</strong><span>${escapeHtml(email)}${verified ? '' : ` · ${t(m.stand_in_unverified)}`}</span></button></form>`
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${t(m.stand_in_title)}</title><link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="${base}/style.css"></head>
<body><main>
<h1>${t(m.stand_in_title)}</h1>
<p class="quiet">${t(m.stand_in_about)}</p>
${exampleUsers.map(userForm).join('')}
<h2>${t(m.stand_in_other)}</h2>
${isInvalid ? `<p class="bad" role="alert">${t(m.stand_in_wrong)}</p>` : ''}
<form method="post" action="${action}">
<label>${t(m.stand_in_name)}<input type="text" name="name" autocomplete="off" required></label>
<label>${t(m.stand_in_email)}<input type="email" name="email" autocomplete="off" required></label>
<label><input type="checkbox" name="verified" value="yes" checked> ${t(m.stand_in_verified)}</label>
<button class="primary">${t(m.stand_in_continue)}</button>
</form>
<form method="post" action="${action}">${hidden('cancel', 'yes')}<button>${t(m.stand_in_cancel)}</button></form>
</main></body>
</html>
`
}
