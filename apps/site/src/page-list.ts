import { openAction, openEditor, sendEditorPage, writeFailure } from './editor-access.ts'
import { sectionPaths } from './editor-layout.ts'
import { type PageListNotice, pageListPage } from './page-list-page.ts'
import { redirect } from './respond.ts'
import type { OpenSession } from './sessions.ts'
import { type Visit, visitedUrl } from './visit.ts'
import type { StoredPage, Website } from './website.ts'

const show = (visit: Visit, status: number, session: OpenSession, notice?: PageListNotice) => {
  const { site, language } = visit
  const { pages } = site.website.current()
  const { name } = site.settings()
  sendEditorPage(visit, status, pageListPage(language, name, session, pages, notice))
}

/** Shows the pages with their order. */
export const showPageList = async (visit: Visit): Promise<void> => {
  const session = await openEditor(visit)
  if (!session) return
  const query = visitedUrl(visit)?.searchParams
  const notice = query?.has('deleted')
    ? 'pageDeleted'
    : query?.has('moved')
      ? 'orderSaved'
      : undefined
  show(visit, 200, session, notice)
}

type Change = { edit: (website: Website) => Website | 'changed'; done: string }

const move = (pages: readonly StoredPage[], id: string, by: number): readonly StoredPage[] => {
  const from = pages.findIndex((page) => page.id === id)
  const to = from + by
  const page = pages[from]
  if (!page || to < 0 || to >= pages.length) return pages
  return pages.toSpliced(from, 1).toSpliced(to, 0, page)
}

/** The pages in the order of their ids; null unless these are the ids of all pages. */
const sort = (pages: readonly StoredPage[], ids: readonly string[]) => {
  const sorted = ids.flatMap((id) => pages.find((page) => page.id === id) ?? [])
  return new Set(sorted).size === pages.length && ids.length === pages.length ? sorted : null
}

const readChange = (form: URLSearchParams): Change => {
  const deletedId = form.get('delete')
  if (deletedId !== null) {
    return {
      done: 'deleted',
      edit: (website) => {
        const page = website.pages.find(({ id }) => id === deletedId)
        if (!page) return website
        if (page.updatedAt !== form.get('based_on')) return 'changed'
        return { ...website, pages: website.pages.filter((other) => other !== page) }
      },
    }
  }
  const order = form.get('order')
  if (order) {
    return {
      done: 'moved',
      edit: (website) => {
        const pages = sort(website.pages, order.split(','))
        return pages ? { ...website, pages } : 'changed'
      },
    }
  }
  const id = form.get('up') ?? form.get('down') ?? ''
  const by = form.has('up') ? -1 : 1
  return {
    done: 'moved',
    edit: (website) => ({ ...website, pages: move(website.pages, id, by) }),
  }
}

/** Moves or deletes a page. A page that was changed meanwhile is not deleted. */
export const changePageList = async (visit: Visit): Promise<void> => {
  const action = await openAction(visit)
  if (!action) return
  const { session, form } = action
  const { edit, done } = readChange(form)
  let problem: 'changed' | null
  try {
    problem = await visit.site.website.change(edit)
  } catch (error) {
    return show(visit, 500, session, writeFailure(visit, error, 'The pages could not be changed'))
  }
  if (problem) return show(visit, 409, session, 'orderChanged')
  redirect(visit, `${sectionPaths.pages}?${done}`)
}
