import { editorPath } from './cookies.ts'
import { hiddenField, noticeHtml, renderEditorPage, sectionPaths } from './editor-layout.ts'
import { escapeHtml } from './html.ts'
import { formatNumber, type Language } from './language.ts'
import { phrases } from './phrases.ts'
import type { OpenSession } from './sessions.ts'
import { maxPages, type StoredPage } from './website.ts'

export type PageListNotice = 'pageDeleted' | 'orderSaved' | 'orderChanged' | 'notSaved' | 'diskFull'

const isGood = (notice: PageListNotice) => notice === 'pageDeleted' || notice === 'orderSaved'

/** A delete button with a confirmation, without a script. */
export const deleteButton = (
  summary: string,
  text: string,
  label: string,
  attributes: string,
): string => `<details><summary class="button quiet danger">${escapeHtml(summary)}</summary>
<p class="hint">${escapeHtml(text)}</p><button class="quiet danger" ${attributes}>${escapeHtml(label)}</button></details>`

/** The pages of the site in the order of the menu. */
export const pageListPage = (
  language: Language,
  siteName: string,
  session: OpenSession,
  pages: readonly StoredPage[],
  notice?: PageListNotice,
): string => {
  const phrase = phrases[language]
  const token = hiddenField('form_token', session.formToken)
  const moveButton = (page: StoredPage, way: 'up' | 'down', isLast: boolean) => {
    const label = way === 'up' ? phrase.moveUp(page.title) : phrase.moveDown(page.title)
    return `<button class="quiet" name="${way}" value="${page.id}" aria-label="${escapeHtml(label)}"${isLast ? ' disabled' : ''}>${way === 'up' ? '↑' : '↓'}</button>`
  }
  const row = (page: StoredPage, index: number) => `<li data-page="${page.id}">
<div class="name"><a href="${editorPath}?page=${page.id}">${escapeHtml(page.title)}</a><p class="hint">/${page.slug}${page.inMenu ? '' : ` · ${escapeHtml(phrase.notInMenu)}`}</p></div>
<div class="tools"><form class="tools" method="post" action="${sectionPaths.pages}">${token}${moveButton(page, 'up', index === 0)}${moveButton(page, 'down', index === pages.length - 1)}</form>
<form method="post" action="${sectionPaths.pages}">${token}${hiddenField('based_on', page.updatedAt)}${deleteButton(
    phrase.delete,
    phrase.deletePageText,
    phrase.deletePage(page.title),
    `name="delete" value="${page.id}"`,
  )}</form></div>
</li>`
  const add =
    pages.length < maxPages
      ? `<p><a class="button" href="${editorPath}?page=new">${escapeHtml(phrase.addPage)}</a></p>`
      : `<p class="hint">${escapeHtml(phrase.maxPages(formatNumber(language, maxPages + 1)))}</p>`
  return renderEditorPage({
    language,
    siteName,
    session,
    section: 'pages',
    heading: phrase.allPages,
    main: `${notice ? noticeHtml(isGood(notice) ? 'good' : 'bad', phrase[notice]) : ''}<p class="hint">${escapeHtml(phrase.pagesText)}</p>
<ol class="rows" data-order>
<li><div class="name"><a href="${editorPath}">${escapeHtml(phrase.homePage)}</a><p class="hint">/</p></div></li>
${pages.map(row).join('\n')}
</ol>
<form method="post" action="${sectionPaths.pages}" data-order-form>${token}${hiddenField('order', '')}</form>
${add}`,
  })
}
