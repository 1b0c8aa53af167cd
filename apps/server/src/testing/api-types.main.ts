import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { openApiDocument } from '../http/openapi/document.ts'

// Writes the types of the API's document as a customer generates them, for the test of a generated
// client. `npm run check` runs it.
const file = fileURLToPath(new URL('api-types.gen.ts', import.meta.url))
const document = JSON.stringify(openApiDocument('/api'))
const types = astToString(await openapiTS(document, { defaultNonNullable: false }))
if (!existsSync(file) || readFileSync(file, 'utf8') !== types) writeFileSync(file, types)
