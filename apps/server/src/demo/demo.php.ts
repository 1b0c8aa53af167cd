import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { getProfile } from '@slipway/contract/account'
import { type Client, createClient } from '@slipway/contract/client'
import { createProject } from '@slipway/contract/projects'
import { createRelease } from '@slipway/contract/releases'
import { listRuntimes, type Runtime } from '@slipway/contract/runtimes'
import { login } from '@slipway/contract/sessions'
import { listTeams } from '@slipway/contract/teams'
import { pack } from 'tar-stream'
import { grace, password } from './demo.people.ts'

/** A guest book, which keeps its entries in a file. */
const guestBook = {
  'index.php': `<?php
$file = '/data/guests.txt';
if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    $name = preg_replace('/\\s+/', ' ', trim($_POST['name'] ?? ''));
    if (preg_match('/^.{1,60}$/u', $name)) file_put_contents($file, "$name\\n", FILE_APPEND | LOCK_EX);
    header('Location: /', true, 303);
    exit;
}
$guests = is_file($file) ? array_reverse(file($file, FILE_IGNORE_NEW_LINES)) : [];
?>
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Regatta guest book</title>
<link rel="stylesheet" href="/style.css">
<main>
<h1>Regatta guest book</h1>
<p>Were you there? Leave your name.</p>
<form method="post">
<label>Your name <input name="name" maxlength="60" required></label>
<button>Sign</button>
</form>
<ul><?php foreach ($guests as $guest): ?><li><?= htmlspecialchars($guest) ?><?php endforeach ?></ul>
</main>
`,
  'style.css': `body { margin: 0; font: 18px/1.6 system-ui, sans-serif; color: #14303d; background: #eef5f7 }
main { max-width: 34rem; margin: 0 auto; padding: 3rem 1rem }
input, button { font: inherit; padding: .4rem .8rem; border: 1px solid #14303d; border-radius: 6px }
button { color: #fff; background: #14303d }
`,
}

async function archiveOf(files: Readonly<Record<string, string>>): Promise<Blob> {
  const tar = pack()
  for (const [name, content] of Object.entries(files)) tar.entry({ name }, content)
  tar.finalize()
  const bytes = gzipSync(await buffer(tar as unknown as AsyncIterable<Buffer>))
  return new Blob([new Uint8Array(bytes)], { type: 'application/gzip' })
}

/** Signs the user in whose sites are made after the start: they run for real. */
export async function signInAtDemo(url: string): Promise<Client> {
  const clientWith = (token: string | null) =>
    createClient({ base: `${url}/api`, token: () => token, locale: () => 'en' })
  const body = { email: grace.email, password }
  return clientWith((await clientWith(null)(login, { body })).token)
}

/**
 * Creates the sites of PHP that this machine can run: a guest book, and a WordPress if an operator
 * added one. They are created once, and stay deleted.
 */
export async function addPhpSites(call: Client): Promise<void> {
  const { id } = await call(getProfile)
  const team = (await call(listTeams)).find(({ userId }) => userId === id)
  const runtimes = await call(listRuntimes, { query: { regionId: 'eu' } })
  if (!team) throw new Error('the user has no team')
  const { id: teamId } = team

  async function create(name: string, runtime: Runtime, key: string) {
    if (!runtimes.some((each) => each.id === runtime && each.available)) return null
    const body = { name, runtime, teamId, regionId: 'eu', domain: null }
    const project = await call(createProject, { body: { ...body, idempotencyKey: key } })
    return project.state === 'deleting' || project.state === 'deleted' ? null : project
  }

  const book = await create('Regatta Guest Book', 'php', '7b0c8e0e-7f0e-4d0a-9c55-1f6a3f5d2c01')
  if (book) {
    const body = await archiveOf(guestBook)
    const params = { id: book.id }
    await call(createRelease, { params, query: {}, body, idempotencyKey: 'demo-php' })
  }
  await create('Sailing Notes', 'wordpress', '7b0c8e0e-7f0e-4d0a-9c55-1f6a3f5d2c02')
}
