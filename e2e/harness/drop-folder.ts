import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import { until } from '../../apps/server/src/testing/until.ts'
import type { Translate } from './texts.ts'

/** Drops a folder of the disk on the page of a project, as a user does with the mouse. */
export async function dropFolder(page: Page, t: Translate, folder: string) {
  const session = await page.context().newCDPSession(page)
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') => {
    const data = { items: [], files: [folder], dragOperationsMask: 1 }
    return session.send('Input.dispatchDragEvent', { type, x: 600, y: 300, data })
  }
  await drag('dragEnter')
  // A mouse over the page sends this event repeatedly.
  await until(async () => {
    await drag('dragOver')
    return page.getByText(t(m.release_drop)).isVisible()
  })
  await drag('drop')
}
