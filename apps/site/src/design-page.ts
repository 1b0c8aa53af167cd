import { editorPath } from './cookies.ts'
import { type DesignId, designIds, type Look, lookStyle } from './designs/designs.ts'
import { accentIds } from './designs/palette.ts'
import { hiddenField, noticeHtml, renderEditorPage } from './editor-layout.ts'
import { previewPath } from './editor-page.ts'
import { escapeHtml } from './html.ts'
import type { Language } from './language.ts'
import { phrases } from './phrases.ts'
import type { OpenSession } from './sessions.ts'
import { namedLanguages } from './site-language.ts'

export type DesignState = {
  look: Look
  /** The language of the pages. */
  writtenIn: string
  /** The version that the choice is based on. */
  basedOn: string
  notice?: 'saved' | 'notSaved' | 'diskFull' | 'lookChanged'
}

/** The shapes of a design: a page of 160 by 100. */
const sketches: Record<DesignId, (colors: Record<string, string>) => string> = {
  journal: ({ ink, soft, line, accent }) =>
    `<path d="M64 10h32" stroke="${ink}" stroke-width="3"/><path d="M24 20h112M24 28h112" stroke="${line}"/><path d="M44 42h72" stroke="${ink}" stroke-width="7"/><path d="M50 58h4" stroke="${accent}" stroke-width="10"/><path d="M62 56h48M62 62h44M48 70h62M48 76h58M48 82h62M48 88h34" stroke="${soft}" stroke-width="2"/>`,
  shopfront: ({ ink, soft, tint, accent, onAccent }) =>
    `<rect x="14" y="6" width="8" height="8" rx="2" fill="${accent}"/><path d="M26 10h22M108 10h10M122 10h10M136 10h10" stroke="${ink}" stroke-width="2"/><path fill="${accent}" d="M0 20h160v40H0z"/><path d="M14 34h62" stroke="${onAccent}" stroke-width="8"/><path d="M14 46h46" stroke="${onAccent}" stroke-width="2"/><path d="M14 70h28" stroke="${soft}" stroke-width="3"/><rect x="14" y="78" width="40" height="22" rx="4" fill="${tint}"/><rect x="60" y="78" width="40" height="22" rx="4" fill="${tint}"/><rect x="106" y="78" width="40" height="22" rx="4" fill="${tint}"/>`,
  portfolio: ({ ink, soft, line, accent }) =>
    `<path d="M8 12h18" stroke="${ink}" stroke-width="3"/><circle cx="30" cy="12.5" r="2" fill="${accent}"/><path d="M8 26h12M8 33h15M8 40h10" stroke="${soft}" stroke-width="2"/><path d="M46 15h96M46 28h60" stroke="${ink}" stroke-width="10"/><path fill="${line}" d="M46 42h106v32H46zM46 79h51v21H46zM101 79h51v21h-51z"/>`,
}

const sketch = (design: DesignId, look: Look) => {
  const { light } = lookStyle({ ...look, design })
  return `<svg viewBox="0 0 160 100" fill="none" aria-hidden="true"><path fill="${light.paper}" d="M0 0h160v100H0z"/>${sketches[design](light)}</svg>`
}

/** The color as it is in light and in dark. */
const swatch = (look: Look) => {
  const { light, dark } = lookStyle(look)
  return `<svg viewBox="0 0 24 24" aria-hidden="true"><path fill="${light.accent}" d="M12 0a12 12 0 0 0 0 24z"/><path fill="${dark.accent}" d="M12 0a12 12 0 0 1 0 24z"/></svg>`
}

const checked = (isChosen: boolean) => (isChosen ? ' checked' : '')

/** The form that chooses design and color. */
export const designPage = (
  language: Language,
  siteName: string,
  session: OpenSession,
  { look, writtenIn, basedOn, notice }: DesignState,
): string => {
  const phrase = phrases[language]
  const designs = designIds.map((id) => {
    const { title, text } = phrase.designs[id]
    return `<label class="look"><input type="radio" name="design" value="${id}"${checked(id === look.design)}>${sketch(id, look)}<strong>${escapeHtml(title)}</strong> <span class="hint">${escapeHtml(text)}</span></label>`
  })
  const accents = accentIds.map(
    (accent) =>
      `<label class="swatch"><input type="radio" name="accent" value="${accent}"${checked(accent === look.accent)}>${swatch({ ...look, accent })}${escapeHtml(phrase.accents[accent])}</label>`,
  )
  const languages = namedLanguages().map(
    ({ language: value, name }) =>
      `<option value="${value}" lang="${value}"${value === writtenIn ? ' selected' : ''}>${escapeHtml(name)}</option>`,
  )
  const query = new URLSearchParams(look)
  return renderEditorPage({
    language,
    siteName,
    session,
    section: 'design',
    heading: phrase.design,
    main: `${notice ? noticeHtml(notice === 'saved' ? 'good' : 'bad', phrase[notice]) : ''}<div class="split">
<form method="post" action="${editorPath}/design" data-design>
${hiddenField('form_token', session.formToken)}
${hiddenField('based_on', basedOn)}
<fieldset><legend class="unseen">${escapeHtml(phrase.design)}</legend><p class="hint">${escapeHtml(phrase.designText)}</p>
<div class="looks">${designs.join('\n')}</div></fieldset>
<fieldset><legend>${escapeHtml(phrase.accent)}</legend><div class="accents">${accents.join('\n')}</div></fieldset>
<div class="field"><label for="language">${escapeHtml(phrase.pageLanguage)}</label>
<select id="language" name="language" aria-describedby="language-hint">${languages.join('')}</select>
<p class="hint" id="language-hint">${escapeHtml(phrase.pageLanguageHint)}</p></div>
<div class="actions bar"><button>${escapeHtml(phrase.save)}</button><button class="quiet" formaction="${previewPath}" formtarget="preview" data-preview>${escapeHtml(phrase.preview)}</button><span class="status" role="status" data-status></span></div>
</form>
<section class="preview" aria-labelledby="preview-title"><h2 id="preview-title">${escapeHtml(phrase.preview)}</h2>
<iframe name="preview" title="${escapeHtml(phrase.preview)}" sandbox="allow-same-origin allow-popups" src="${previewPath}?${query}"></iframe></section>
</div>`,
  })
}
