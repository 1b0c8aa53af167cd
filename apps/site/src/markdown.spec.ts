import { describe, expect, it } from 'vitest'
import { describeMarkdown, plainTextToMarkdown, renderMarkdown } from './markdown.ts'

const picture = {
  alt: 'A "red" door',
  width: 960,
  height: 640,
  sources: [
    { width: 480, address: '/pictures/1-480.webp' },
    { width: 960, address: '/pictures/1-960.webp' },
  ],
}

const render = (text: string) => renderMarkdown(text, (id) => (id === '1' ? picture : undefined))

/** HTML without the values of its attributes. */
const tags = (html: string) => html.replace(/="[^"]*"/g, '=""')

/** What could run or load something. */
const active = /<(?:script|iframe|style|svg|img src=x)|<[a-z]+[^>]*\son\w+=/i

describe('renderMarkdown', () => {
  it('renders the dialect of GitHub, and a line break as a break', () => {
    expect(render('**a** *b* `c` ~~d~~\ne')).toBe(
      '<p><strong>a</strong> <em>b</em> <code>c</code> <del>d</del><br>e</p>',
    )
    expect(render('- [x] done\n- open')).toContain('<li>☑ done</li>')
    expect(render('|a|\n|-|\n|b|')).toContain('<th scope="col">a</th>')
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick="alert(1)">b</b>',
    '<svg/onload=alert(1)>\n\n<iframe src="//evil.test"></iframe>',
    '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
    '|<script>|\n|-|\n|<img src=x onerror=alert(1)>|',
    '![<script>](/pictures/1 "<script>")',
    '![" onload="alert(1)](/pictures/1)',
    '[a](https://a.test/"onmouseover="alert(1))',
    '<!-- --><script>alert(1)</script>',
  ])('HTML is shown as text: %s', (text) => {
    expect(tags(render(text))).not.toMatch(active)
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java&#x0A;script:alert(1)',
    '&#106;avascript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:a',
    'file:///etc/passwd',
    '//evil.test',
    '/\t/evil.test',
    'about',
  ])('a link to %j is shown without its address', (address) => {
    for (const text of [`[a](${address})`, `[a](<${address}>)`, `[a]\n\n[a]: <${address}>`])
      expect(render(text)).not.toContain('<a ')
  })

  it.each(['https://a.test/b?c=1', 'http://a.test', 'mailto:a@b.test', 'tel:+90', '/about', '#b'])(
    'a link to %s is a link',
    (address) => {
      expect(render(`[a](${address})`)).toBe(`<p><a href="${address}">a</a></p>`)
    },
  )

  it('a paragraph that is only a bold link is a button', () => {
    expect(render('**[Book](/book)**')).toBe(
      '<p class="action"><a class="button" href="/book">Book</a></p>',
    )
    expect(render('**[Book](javascript:a)**')).not.toContain('button')
    expect(render('**[Book](/book)** now')).not.toContain('button')
  })

  it('headings begin below the title and skip no level', () => {
    const levels = render('# a\n#### b\n###### c\n## d\n### e').match(/<h\d/g)
    expect(levels).toEqual(['<h2', '<h3', '<h4', '<h2', '<h3'])
  })

  it('a picture has its sizes and description, and the title is its caption', () => {
    expect(render('![](/pictures/1 "Summer")')).toBe(
      '<figure><img src="/pictures/1-960.webp" srcset="/pictures/1-480.webp 480w, /pictures/1-960.webp 960w" sizes="(max-width: 960px) 100vw, 960px" width="960" height="640" alt="A &quot;red&quot; door"><figcaption>Summer</figcaption></figure>',
    )
    expect(render('![Another](/pictures/1)')).toContain('alt="Another"')
  })

  it('pictures in a row are a gallery, and only the first is loaded at once', () => {
    const html = render('![](/pictures/1)\n![](/pictures/1)')
    expect(html).toMatch(/^<div class="gallery">/)
    expect(html.match(/loading="lazy"/g)).toHaveLength(1)
  })

  it.each(['https://evil.test/a.png', '/pictures/2', '/pictures/../1', 'data:image/png;base64,a'])(
    'the picture %s is not of the site, and only its description is shown',
    (address) => {
      expect(render(`a ![b](${address})`)).toBe('<p>a b</p>')
      expect(render(`![b](${address})`)).toBe('<p>b</p>')
    },
  )

  it.each([
    ['quotes in quotes', '>'.repeat(20_000)],
    ['lists in lists', '- '.repeat(10_000)],
    ['numbers in numbers', '1. '.repeat(6_666)],
    ['emphasis without end', '_a'.repeat(10_000)],
    ['emphasis of three kinds', '~_*~_*a '.repeat(2_500)],
    ['emphasis within words', '_a_a_a_a_a '.repeat(1_800)],
    ['links in links', '[![a](b)](c'.repeat(1_800)],
    ['addresses without end', 'a.'.repeat(10_000)],
  ])('%s are rendered without exhausting the parser', (_what, text) => {
    expect(render(text).length).toBeGreaterThan(10_000)
  })
})

describe('plainTextToMarkdown', () => {
  it.each([
    'A plain text\nof two lines\n\nand two paragraphs: 3 + 4 = 7.',
    '# no heading\n- no list\n1. nor this\n---\nor this\n===',
    '*a* _b_ **c** `d` ~~e~~ [f](g) ![h](i) | j | \\ k',
    '<b>&amp; &lt;</b> https://a.test www.b.test c@d.test',
    '    indented\n\n> quoted\n+ plus\n2) two\n~~~\ncode',
  ])('a text looks as it did when texts were plain: %j', (text) => {
    const html = renderMarkdown(plainTextToMarkdown(text), () => undefined)
    const shown = html
      .replace(/^<p>|<\/p>$/g, '')
      .replaceAll('</p>\n<p>', '\n\n')
      .replaceAll('<br>', '\n')
    expect(shown).not.toMatch(/<[^>]*>/)
    const lines = text.split('\n').map((line) => line.trim())
    const escaped = lines.join('\n').replace(/&/g, '&amp;').replace(/</g, '&lt;')
    expect(shown.replaceAll('&gt;', '>').replaceAll('&quot;', '"')).toBe(escaped)
  })

  it('a text without marks stays as it is', () => {
    expect(plainTextToMarkdown("It's here, isn't it?\n\n3 + 4.")).toBe(
      "It's here, isn't it?\n\n3 + 4.",
    )
  })
})

describe('describeMarkdown', () => {
  it('is the first paragraph without its marks', () => {
    expect(describeMarkdown('# A\n\n**b** [c](/d) & <e>\n\nf')).toBe('b c & <e>')
    expect(describeMarkdown('![](/pictures/1)')).toBe('')
  })

  it('ends between two words', () => {
    const description = describeMarkdown('word '.repeat(100))
    expect(description).toMatch(/word…$/)
    expect(description.length).toBeLessThanOrEqual(156)
  })
})
