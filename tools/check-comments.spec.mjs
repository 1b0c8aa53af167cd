import { describe, expect, it } from 'vitest'
import { longComments } from './check-comments.mjs'

const long = 'x'.repeat(100)

describe('the check of comments', () => {
  it.each([
    ['a.ts', `// ${long}`],
    ['a.tsx', `  // ${long}`],
    ['a.tsx', `  {/* ${long} */}`],
    ['a.mjs', `/** ${long} */`],
    ['a.mjs', ` * ${long}`],
    ['a.php', `\t// ${long}`],
    ['a.css', ` * ${long}`],
    ['deploy/alerts.yaml', `# ${long}`],
    ['.github/workflows/ci.yml', `    # ${long}`],
    ['deploy/runtimes/drain.sh', `#${long}`],
    ['deploy/Containerfile', `# ${long}`],
  ])('finds in %s the long line %s', (file, line) => {
    expect(longComments(file, `# short\n${line}\n`)).toEqual([2])
  })

  it.each([
    ['a.ts', `const text = '${long}'`],
    ['a.ts', `// https://example.com/${long}`],
    ['a.mjs', `// biome-ignore ${long}`],
    ['a.mjs', `# ${long}`],
    ['a.php', `$text = '${long}';`],
    ['deploy/alerts.yaml', `summary: ${long}`],
    ['deploy/alerts.yaml', `# https://example.com/${long}`],
    ['deploy/Containerfile', `# ${'x'.repeat(98)}`],
  ])('accepts in %s the line %s', (file, line) => {
    expect(longComments(file, line)).toEqual([])
  })
})
