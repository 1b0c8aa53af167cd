import { openAsBlob } from 'node:fs'
import type { BrowserContext, Page } from '@playwright/test'
import type { Project } from '@slipway/contract/projects'
import { addRuntimeVersion } from '@slipway/contract/runtimes'
import { zipOf } from '../../apps/server/src/testing/archives.ts'
import { httpGet } from '../../apps/server/src/testing/http-get.ts'
import { findWordPress, wordPressArtifact } from '../../apps/server/src/testing/wordpress.ts'
import { createOperator, operatorClient } from './operator.ts'
import type { Server } from './server.ts'
import { expect } from './test.ts'

export const operatorToken = async (url: string) => (await createOperator(url)).token

/** The version that a copy of the same WordPress claims. */
export const versionOf = (number: number) => `99.${number}`

/** The text on the pages of a site with a version. */
export const versionText = (number: number) => `WordPress ${versionOf(number)}`

type Artifact = Awaited<ReturnType<typeof wordPressArtifact>>

/** Uploads a version of WordPress to a server, as the operator's command does. */
export async function uploadVersion(url: string, token: string, { archive }: Artifact) {
  const body = await openAsBlob(archive, { type: 'application/gzip' })
  return operatorClient(url, token)(addRuntimeVersion, { params: { runtime: 'wordpress' }, body })
}

/**
 * Adds a copy of WordPress that claims another version. Returns its digest. The files are copied
 * to the server first, so that it does not unpack the upload once more.
 */
export async function addTestVersion({ url, dataDir }: Server, token: string, number: number) {
  const sources = await findWordPress()
  if (!sources) throw new Error('WordPress is missing')
  const artifact = await wordPressArtifact(sources, (text) =>
    text.replace(/\$wp_version = '.*?'/, `$wp_version = '${versionOf(number)}'`),
  )
  await artifact.install(dataDir)
  await uploadVersion(url, token, artifact)
  return artifact.digest
}

/** What visitors see of the content. */
export const content = { post: 'First coffee', notice: 'The quay is open' }

/** A red picture of one pixel. */
const picture = {
  name: 'red.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
}

const plugin = {
  name: 'harbour-notice.zip',
  mimeType: 'application/zip',
  buffer: zipOf({
    'harbour-notice/harbour-notice.php': `<?php
/** Plugin Name: Harbour Notice */
add_action('wp_footer', function () { echo '<p>${content.notice}</p>'; });`,
  }),
}

/** Uploads the picture. Returns its address. */
async function uploadPicture(admin: Page, { defaultUrl }: Project) {
  await admin.goto(`${defaultUrl}/wp-admin/media-new.php?browser-uploader`)
  await admin.locator('#async-upload').setInputFiles(picture)
  await admin.locator('#html-upload').click()
  await expect(admin).toHaveURL(/upload\.php/)
  await expect(admin.getByRole('checkbox', { name: 'red' })).toBeVisible()
  const address = await admin.locator('img[src*="/uploads/"]').first().getAttribute('src')
  return new URL(address ?? '', defaultUrl).href
}

async function addPlugin(admin: Page, { defaultUrl }: Project) {
  await admin.goto(`${defaultUrl}/wp-admin/plugin-install.php?tab=upload`)
  await admin.locator('#pluginzip').setInputFiles(plugin)
  await admin.getByRole('button', { name: 'Install Now' }).click()
  await admin.getByRole('link', { name: 'Activate Plugin' }).click()
  await expect(admin.getByText('Plugin activated.')).toBeVisible()
}

async function publishPost(admin: Page, { defaultUrl }: Project) {
  await admin.goto(`${defaultUrl}/wp-admin/post-new.php`)
  await admin
    .getByRole('button', { name: 'Close dialog' })
    .or(admin.getByRole('button', { name: 'Close', exact: true }))
    .click()
  await admin.getByRole('textbox', { name: 'Add title' }).fill(content.post)
  await admin.getByRole('button', { name: 'Publish', exact: true }).click()
  const panel = admin.getByLabel('Editor publish')
  await panel.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(panel.getByText('is now live')).toBeVisible()
}

/** Adds a picture, a plugin and a post by the site's own admin. Returns the picture's address. */
export async function addContent(admin: Page, project: Project) {
  await expect(admin.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  const address = await uploadPicture(admin, project)
  await addPlugin(admin, project)
  await publishPost(admin, project)
  return address
}

/** The admin shows pictures of other services. */
export const replacePicturesOfOthers = (context: BrowserContext) =>
  context.route(/gravatar\.com|s\.w\.org/, (route) =>
    route.fulfill({ contentType: 'image/png', body: picture.buffer }),
  )

/** Visits the site without a browser: its pages have the post and the plugin's text. */
export async function expectContent(
  { sitesPort }: Pick<Server, 'sitesPort'>,
  { key }: Pick<Project, 'key'>,
  pictureUrl: string,
) {
  const visit = (path: string) => httpGet({ port: sitesPort }, path, { host: `${key}.localhost` })
  const { body } = await visit('/')
  expect(body).toContain(content.post)
  expect(body).toContain(content.notice)
  const { status, bytes } = await visit(new URL(pictureUrl).pathname)
  expect({ status, bytes }).toEqual({ status: 200, bytes: picture.buffer })
}
