import { hiddenField, picturesUploadPath } from './editor-layout.ts'
import { escapeHtml } from './html.ts'
import type { Language } from './language.ts'
import { maxCharacters } from './page-form.ts'
import { phrases } from './phrases.ts'
import type { OpenSession } from './sessions.ts'

/** The form that adds a picture. The script shows it, because the browser makes the sizes. */
export const uploadForm = (language: Language, { formToken }: OpenSession): string => {
  const phrase = phrases[language]
  return `<noscript><p class="notice bad">${escapeHtml(phrase.pictureNeedsScript)}</p></noscript>
<form class="upload" hidden data-upload="${picturesUploadPath}" data-uploading="${escapeHtml(phrase.uploading('{percent}'))}" data-unreadable="${escapeHtml(phrase.pictureProblems.unreadable)}" data-failed="${escapeHtml(phrase.pictureProblems.failed)}" data-alt-missing="${escapeHtml(phrase.altMissing)}">
${hiddenField('form_token', formToken)}
<div class="field"><label for="file">${escapeHtml(phrase.chooseFile)}</label>
<input id="file" name="file" type="file" required accept="image/jpeg,image/png,image/webp,image/avif,image/gif" aria-describedby="file-hint">
<p class="hint" id="file-hint">${escapeHtml(phrase.fileHint)}</p></div>
<div class="field"><label for="alt">${escapeHtml(phrase.alt)}</label>
<input id="alt" name="alt" maxlength="${maxCharacters.alt}" autocomplete="off" aria-describedby="alt-hint">
<p class="hint" id="alt-hint">${escapeHtml(phrase.altHint)}</p>
<label class="check"><input type="checkbox" name="decorative" aria-describedby="decorative-hint"> <span>${escapeHtml(phrase.decorative)} <span class="hint" id="decorative-hint">${escapeHtml(phrase.decorativeHint)}</span></span></label></div>
<p class="error" role="alert" data-error></p>
<div class="actions"><button>${escapeHtml(phrase.upload)}</button><button type="button" class="quiet" hidden data-cancel>${escapeHtml(phrase.cancel)}</button><span class="status" role="status" data-status></span></div>
<progress max="100" value="0" hidden aria-label="${escapeHtml(phrase.upload)}"></progress>
</form>`
}
