import { parseSync } from 'vite'

/**
 * What shows a screen: its path in the router's form (`/projects/view/$key`), the layouts it stands in, the
 * innermost first, as the router calls them, and the modules of all of them as they are imported.
 */
export type ScreenModules = { path: string; layouts: string[]; modules: string[] }

type Node = { type: string } & Record<string, unknown>
type Layout = { modules: string[]; parent: string | undefined }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

const childrenOf = (node: Node) => Object.values(node).flat().filter(isNode)

function* nodesBelow(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* nodesBelow(child)
}

const named = (value: unknown) => (isNode(value) ? (value.name as string | undefined) : undefined)

/** The modules that are imported in a part of the source when it runs. */
const importsIn = (value: unknown) =>
  isNode(value)
    ? [...nodesBelow(value)]
        .filter(({ type }) => type === 'ImportExpression')
        .map(({ source }) => (source as Node).value as string)
    : []

/** The `createRoute({ component, getParentRoute })` of a layout. */
function layoutOf(options: unknown): Layout {
  const properties = new Map(
    isNode(options) ? childrenOf(options).map(({ key, value }) => [named(key), value as Node]) : [],
  )
  return {
    modules: importsIn(properties.get('component')),
    parent: named(properties.get('getParentRoute')?.body),
  }
}

/**
 * The screens of the route table, read from the router's source: it stays the one place that says which
 * path shows which page. Throws when it finds none, so that a table of another shape fails the build.
 */
export function screensOf(source: string): ScreenModules[] {
  const layouts = new Map<string, Layout>()
  const screens: ScreenModules[] = []
  const program = parseSync('router.tsx', source).program as unknown as Node
  for (const node of nodesBelow(program)) {
    const call = node.type === 'VariableDeclarator' ? node.init : node
    if (!isNode(call) || call.type !== 'CallExpression') continue
    const [first, second, third] = call.arguments as Node[]
    if (call !== node && named(call.callee) === 'createRoute')
      layouts.set(named(node.id) ?? '', layoutOf(first))
    if (call !== node || named(call.callee) !== 'route') continue
    if (typeof second?.value !== 'string') continue
    const modules = new Set(importsIn(third))
    const around: string[] = []
    for (let group = named(first); group; group = layouts.get(group)?.parent) {
      around.push(group)
      for (const module of layouts.get(group)?.modules ?? []) modules.add(module)
    }
    screens.push({ path: second.value, layouts: around, modules: [...modules] })
  }
  if (screens.length === 0) throw new Error('The router has no route(group, path, page).')
  return screens
}
