// The Node app of `npm run demo`: today's tides at the old quay, and a book for guests.
const { createServer } = require('node:http')
const { DatabaseSync } = require('node:sqlite')

const database = new DatabaseSync(`${process.env.HOME}/guests.db`)
database.exec('create table if not exists guests (name text not null, time text not null)')

const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)

/** The time between two high waters, in minutes. */
const tide = 745
const hour = (/** @type {number} */ minutes) =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** High and low waters of a day, as times and heights. */
function tidesOf(/** @type {Date} */ date) {
  const day = Math.floor(date.getTime() / 86_400_000)
  const first = (day * 50) % tide
  return [0, 0.5, 1, 1.5].map((turn) => ({
    time: hour(Math.round(first + turn * tide)),
    isHigh: turn % 1 === 0,
    metres: (turn % 1 === 0 ? 3.1 : 0.6) + 0.3 * Math.sin(day + turn),
  }))
}

const escapeHtml = (/** @type {unknown} */ text) =>
  String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

function page() {
  const tides = tidesOf(new Date()).map(
    ({ time, isHigh, metres }) =>
      `<tr><th scope="row">${time}</th><td>${isHigh ? 'High' : 'Low'}</td><td>${metres.toFixed(1)} m</td></tr>`,
  )
  const guests = database
    .prepare('select name from guests order by time desc limit 10')
    .all()
    .map(({ name }) => `<li>${escapeHtml(name)}</li>`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Tide Tables</title>
<style>
  body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1.5rem; color: #12303a; background: #f2f8f9 }
  table { width: 100%; border-collapse: collapse } th, td { text-align: left; padding: .5rem 0; border-bottom: 1px solid #bcd5da }
  input, button { font: inherit; padding: .4rem .8rem }
</style>
<h1>Tide Tables</h1>
<p>Today at the old quay.</p>
<table>${tides.join('')}</table>
<h2>Guests</h2>
<form method="post" action="/guests"><input name="name" aria-label="Your name" required maxlength="60"> <button>Sign</button></form>
<ul>${guests.join('')}</ul>
</html>`
}

const server = createServer((request, response) => {
  if (request.method === 'POST' && request.url === '/guests') {
    let body = ''
    request.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      body = (body + text).slice(0, 1_000)
    })
    request.on('end', () => {
      const name = new URLSearchParams(body).get('name')?.trim().slice(0, 60)
      if (name) {
        database.prepare("insert into guests values (?, datetime('now'))").run(name)
        print(`${name} has signed`)
      }
      response.writeHead(303, { location: '/' }).end()
    })
    return
  }
  const isPage = request.url === '/'
  response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
  response.end(isPage ? page() : '<!doctype html><title>Not found</title><h1>Not found</h1>')
})
server.listen(process.env.PORT, () => print('The tide tables are open'))
