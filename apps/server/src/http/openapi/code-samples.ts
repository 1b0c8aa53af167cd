import type { openApiDocument } from './document.ts'
import { exampleValue, type Resolve } from './example-value.ts'
import type { JsonSchema } from './schemas.ts'

type Document = ReturnType<typeof openApiDocument>
type OperationObject = Document['paths'][string][string]

/** A request as its samples show it. */
type SampleRequest = {
  method: string
  url: string
  hasToken: boolean
  /** A JSON body; undefined without one. */
  body: unknown
  /** The type of a body of bytes. */
  upload: string | undefined
  response: 'json' | 'file' | 'none'
}

type Parameter = { name: string; in: string; required?: boolean; schema: JsonSchema }

const uploadName = 'site.zip'

const indented = (value: unknown) => JSON.stringify(value, null, 2)

/** Quotes a text for a shell: nothing is expanded in single quotes. */
const shellText = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** JSON as Python writes it. No example has these words in a text. */
const pythonValue = (value: unknown) =>
  JSON.stringify(value, null, 4).replace(
    /\b(?:true|false|null)\b/g,
    (word) => ({ true: 'True', false: 'False', null: 'None' })[word] ?? word,
  )

function curlSample({ method, url, hasToken, body, upload, response }: SampleRequest) {
  const lines = [
    ...(method === 'GET' ? [] : [`--request ${method}`]),
    ...(hasToken ? ['--header "Authorization: Bearer $SLIPWAY_TOKEN"'] : []),
    ...(body === undefined ? [] : [`--json ${shellText(indented(body))}`]),
    ...(upload ? [`--header 'Content-Type: ${upload}'`, `--data-binary @${uploadName}`] : []),
    ...(response === 'file' ? ['--remote-name'] : []),
  ]
  return [`curl --fail-with-body ${shellText(url)}`, ...lines].join(' \\\n  ')
}

function javaScriptSample({ method, url, hasToken, body, upload, response }: SampleRequest) {
  const type = body === undefined ? upload : 'application/json'
  const headers = [
    ...(hasToken ? ["    Authorization: 'Bearer ' + process.env.SLIPWAY_TOKEN,"] : []),
    ...(type ? [`    'Content-Type': '${type}',`] : []),
  ]
  const json = indented(body)?.replaceAll('\n', '\n  ')
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(json === undefined ? [] : [`  body: JSON.stringify(${json}),`]),
    ...(upload ? [`  body: await readFile('${uploadName}'),`] : []),
  ]
  return [
    ...(upload ? ["import { readFile } from 'node:fs/promises'", ''] : []),
    ...(response === 'file' ? ["import { writeFile } from 'node:fs/promises'", ''] : []),
    ...(options.length > 0
      ? [`const response = await fetch('${url}', {`, ...options, '})']
      : [`const response = await fetch('${url}')`]),
    'if (!response.ok) throw new Error(await response.text())',
    ...(response === 'json' ? ['console.log(await response.json())'] : []),
    ...(response === 'file' ? ["await writeFile('response', await response.bytes())"] : []),
  ].join('\n')
}

function pythonSample({ method, url, hasToken, body, upload, response }: SampleRequest) {
  const headers = [
    ...(hasToken ? ['        "Authorization": f"Bearer {os.environ[\'SLIPWAY_TOKEN\']}",'] : []),
    ...(upload ? [`        "Content-Type": "${upload}",`] : []),
  ]
  return [
    ...(hasToken ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...(body === undefined ? [] : [`    json=${pythonValue(body).replaceAll('\n', '\n    ')},`]),
    ...(upload ? [`    data=open("${uploadName}", "rb"),`] : []),
    ')',
    'response.raise_for_status()',
    ...(response === 'json' ? ['print(response.json())'] : []),
    ...(response === 'file' ? ['open("response", "wb").write(response.content)'] : []),
  ].join('\n')
}

/** The request of an operation's samples: its example, or a value of each required field. */
function sampleRequest(
  server: string,
  [path, method, operation]: [string, string, OperationObject],
  resolve: Resolve,
): SampleRequest {
  const parameters = (operation.parameters ?? []) as Parameter[]
  const parameterValue = ({ name, schema }: Parameter) =>
    encodeURIComponent(String(exampleValue(schema, resolve, name)))
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => `${parameter.name}=${parameterValue(parameter)}`)
  const url = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (text, parameter) => text.replace(`{${parameter.name}}`, parameterValue(parameter)),
      path,
    )
  const content = (operation as { requestBody?: { content: Record<string, unknown> } }).requestBody
    ?.content
  const json = content?.['application/json'] as
    | { schema: JsonSchema; example?: unknown }
    | undefined
  const success = (operation.responses as { 200?: { content?: object } })[200]
  const responseTypes = Object.keys(success?.content ?? {})
  return {
    method: method.toUpperCase(),
    url: `${server}${url}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    hasToken: operation.security.length > 0,
    body: json && (json.example ?? exampleValue(json.schema, resolve)),
    upload: json ? undefined : Object.keys(content ?? {})[0],
    response:
      responseTypes.length === 0
        ? 'none'
        : responseTypes.includes('application/json')
          ? 'json'
          : 'file',
  }
}

const samplesOf = (request: SampleRequest) => [
  { lang: 'Shell', label: 'curl', source: curlSample(request) },
  { lang: 'JavaScript', label: 'JavaScript', source: javaScriptSample(request) },
  { lang: 'Python', label: 'Python', source: pythonSample(request) },
]

/**
 * The document with samples of each call: `x-codeSamples`, which Redoc and Scalar show, too
 * (https://redocly.com/docs-legacy/api-reference-docs/specification-extensions/x-code-samples).
 */
export function withCodeSamples(document: Document, server: string) {
  const { schemas } = document.components
  const resolve: Resolve = (reference) => schemas[reference.split('/').at(-1) ?? ''] ?? {}
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => {
        const request = sampleRequest(server, [path, method, operation], resolve)
        return [method, { ...operation, 'x-codeSamples': samplesOf(request) }]
      }),
    ),
  ])
  return { ...document, paths: Object.fromEntries(paths) as Document['paths'] }
}
