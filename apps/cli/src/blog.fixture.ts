import { execFile } from 'node:child_process'
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const eleventy = fileURLToPath(new URL('../cmd.cjs', import.meta.resolve('@11ty/eleventy')))

/** The files of a built site by their paths, such as `articles/1/index.html`. */
export type BuiltFiles = Map<string, Buffer>

const sources = {
  'eleventy.config.js': `export default (config) => {
    config.addPassthroughCopy({ public: '/' })
    config.addCollection('articles', (all) =>
      all.getFilteredByGlob('articles/*.md').sort((a, b) => a.data.number - b.data.number))
    return { dir: { input: '.', includes: '_includes', output: '_site' } }
  }`,
  '_includes/page.njk': `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{ title }}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body><nav><a href="/">All articles</a></nav><main>{{ content | safe }}</main></body>
</html>
`,
  'articles/articles.11tydata.js': `export default { layout: 'page.njk' }`,
  'list.njk': `---
layout: page.njk
title: All articles
pagination: { data: collections.articles, size: 20, alias: articles }
permalink: "{% if pagination.pageNumber %}/page/{{ pagination.pageNumber + 1 }}{% endif %}/index.html"
---
<ul>{% for article in articles %}
<li><a href="{{ article.url }}">{{ article.data.title }}</a></li>{% endfor %}
</ul>
`,
  'sitemap.njk': `---
permalink: /sitemap.xml
eleventyExcludeFromCollections: true
---
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{% for article in collections.articles %}<url><loc>https://example.com{{ article.url }}</loc></url>
{% endfor %}</urlset>
`,
  '404.md': `---
layout: page.njk
title: Not found
permalink: /404.html
---
There is no such article.
`,
  'public/style.css': 'h1 { color: teal }\nmain { max-width: 40rem; margin: auto }\n'.repeat(40),
  'public/_redirects': '/blog/:number /articles/:number/ 301\n',
}

/** A blog in Eleventy's format, with articles in Markdown, in `folder`. */
export async function createBlog(folder: string, articleCount: number) {
  const articlePath = (number: number) => `articles/${number}.md`
  const write = async (path: string, content: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  const writeArticle = (number: number, text: string) =>
    write(
      articlePath(number),
      `---\ntitle: Article ${number}\nnumber: ${number}\n---\n# Article ${number}\n\n${text}\n`,
    )

  for (const [path, content] of Object.entries(sources)) await write(path, content)
  for (let number = 1; number <= articleCount; number++)
    await writeArticle(number, `The **text** of article ${number}.\n\n`.repeat(20))

  return {
    writeArticle,
    removeArticle: (number: number) => rm(join(folder, articlePath(number))),
    async build(): Promise<BuiltFiles> {
      const output = join(folder, '_site')
      await rm(output, { recursive: true, force: true })
      await run(process.execPath, [eleventy, '--quiet'], { cwd: folder })
      const files: BuiltFiles = new Map()
      for await (const entry of glob('**', { cwd: output, withFileTypes: true })) {
        const file = join(entry.parentPath, entry.name)
        if (entry.isFile()) files.set(file.slice(output.length + 1), await readFile(file))
      }
      return files
    },
  }
}
