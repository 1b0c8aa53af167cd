// A site with one page of 10 KB, on the socket that the gateway expects.
import { createServer } from 'node:http'

const [socket = ''] = process.argv.slice(2)
const page = Buffer.alloc(10_000, '<p>An example paragraph.</p>\n')

createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': page.length })
  response.end(page)
}).listen(socket, () => process.send?.({ listening: true }))
process.on('disconnect', () => process.exit())
