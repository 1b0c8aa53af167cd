import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { createBlog } from '../../apps/cli/src/blog.fixture.ts'
import { hasPhpFpm } from '../../apps/server/src/testing/has-php-fpm.ts'
import { hasNpmRegistry } from '../../apps/server/src/testing/npm-registry.ts'
import { hasSandbox } from '../../apps/server/src/testing/sandbox.ts'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { type Instant, starting, unpacking } from './deployments.ts'
import { writeFiles } from './folder-of.ts'
import type { Server } from './server.ts'
import type { Translate } from './texts.ts'

/** A kind of site whose files a customer deploys. */
export type UploadedKind = {
  runtime: 'static' | 'node' | 'php'
  /** The reason why this machine cannot run it; null if it can. */
  missing(): Promise<string | null>
  /** Writes the files of a version below a folder. Returns the folder to deploy. */
  build(folder: string, version: number): Promise<string>
  /** The page that shows the version, with a teal heading. */
  path: string
  text(version: number): string
  /** The site has a guest book, with a field for the name and the start of its program. */
  hasGuestBook: boolean
  /** Files whose deployment fails, and the reason. */
  broken: Record<string, string>
  brokenReason(t: Translate): string
  /** The instant at which a test kills the server. */
  instant: Instant
}

const withoutSandbox = async () => ((await hasSandbox()) ? null : 'this machine has no sandbox')

const text = (version: number) => `Version ${version} of the site`

const style = 'h1 { color: teal }'

/** Hundreds of pages, one of which has the version. */
const blog: UploadedKind = {
  runtime: 'static',
  missing: async () => null,
  async build(folder, version) {
    const sources = await createBlog(folder, 300)
    await sources.writeArticle(7, text(version))
    await sources.build()
    return join(folder, '_site')
  },
  path: '/articles/7/',
  text,
  hasGuestBook: false,
  broken: { 'page.txt': 'no index' },
  brokenReason: (t) => t(m.release_failure_index_missing),
  instant: unpacking,
}

/** A guest book with these guests, and what identifies the start of its program. */
const guestBook = (version: number, { guests, start }: { guests: string; start: string }) =>
  `<!doctype html><html lang="en"><title>Guests</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/site.css"><h1>Guests</h1><p>${text(version)}</p>
<form method="post"><input name="name" aria-label="Name"><button>Sign</button></form>
<pre>${guests}</pre><small>Start ${start}</small>`

/** Reads the start of the program from the page of a site; null for a kind without a program. */
export const shownStart = (
  { sitesPort }: Pick<Server, 'sitesPort'>,
  { key }: Pick<Project, 'key'>,
  { hasGuestBook, path }: UploadedKind,
) =>
  hasGuestBook
    ? async () => {
        const { body } = await sitePage(sitesPort, `${key}.localhost`, path)
        return /Start ([\w-]+)/.exec(body)?.[1]
      }
    : null

const expressFolder = '../../apps/server/src/engines/hosting/local/fixtures/express-site/'
const expressFile = (name: string) =>
  readFile(new URL(expressFolder + name, import.meta.url), 'utf8')

/** Express, which `npm ci` installs, with SQLite. It listens late, so that a kill finds it. */
const expressApp: UploadedKind = {
  runtime: 'node',
  missing: async () =>
    (await withoutSandbox()) ??
    ((await hasNpmRegistry()) ? null : 'npm does not reach its registry'),
  async build(folder, version) {
    await writeFiles(folder, {
      'package.json': await expressFile('package.json'),
      'package-lock.json': await expressFile('package-lock.json'),
      'public/site.css': style,
      'app.js': `
        const { DatabaseSync } = require('node:sqlite')
        const start = require('node:crypto').randomUUID()
        const express = require('express')
        const database = new DatabaseSync('/data/guests.db')
        database.exec('create table if not exists guests (name text)')
        const guests = () => database.prepare('select name from guests').all()
        const page = ${JSON.stringify(guestBook(version, { guests: 'GUESTS', start: 'START' }))}
        const app = express()
          .use(express.static('public'), express.urlencoded())
          .get('/', (request, response) => {
            const names = guests().map(({ name }) => name).join(' ')
            response.send(page.replace('GUESTS', names).replace('START', start))
          })
          .post('/', (request, response) => {
            database.prepare('insert into guests values (?)').run(request.body.name)
            response.redirect('/')
          })
        setTimeout(() => app.listen(process.env.PORT), 400)`,
    })
    return folder
  },
  path: '/',
  text,
  hasGuestBook: true,
  broken: { 'package.json': '{ "main": "app.js" }', 'app.js': 'process.exit(7)' },
  brokenReason: (t) => t(m.release_failure_program_exited, { code: '7' }),
  instant: starting,
}

const phpPage: UploadedKind = {
  runtime: 'php',
  missing: async () =>
    (await withoutSandbox()) ?? ((await hasPhpFpm()) ? null : 'this machine has no php-fpm'),
  async build(folder, version) {
    await writeFiles(folder, {
      'site.css': style,
      // A slow page, so that a kill finds the release being checked.
      'index.php': `<?php
        usleep(400000);
        $file = '/data/guests';
        if ($_SERVER['REQUEST_METHOD'] === 'POST')
          file_put_contents($file, $_POST['name'] . "\\n", FILE_APPEND);
        $guests = is_file($file) ? file_get_contents($file) : '';
        // The first process of the sandbox; the workers of php-fpm come and go.
        $start = explode(' ', file_get_contents('/proc/1/stat'))[21];
        ?>${guestBook(version, {
          guests: '<?= htmlspecialchars($guests) ?>',
          start: '<?= $start ?>',
        })}`,
    })
    return folder
  },
  path: '/',
  text,
  hasGuestBook: true,
  broken: { 'index.php': '<?php missing_function();' },
  brokenReason: (t) => t(m.release_failure_unhealthy, { status: '500' }),
  instant: starting,
}

export const uploadedKinds = [blog, expressApp, phpPage]

/** The environment of the servers: sites sleep after three seconds, and npm finds its registry. */
export const lifeEnv = { SLEEP_AFTER: '3', DNS_SERVERS: '' }
