// Without this parser dependency-cruiser skips TypeScript files, and every rule passes.
import '@swc/core'

// The allowed imports. Each rule's comment is its reason, and is printed when the rule is broken.

const tests = '\\.(spec|fixture)\\.tsx?$|/testing/|^(e2e|bench|resilience|tools)/'
const modules = '^apps/server/src/modules/'

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment:
        'Files that import each other cannot be read, tested or loaded alone. Type imports are allowed: they do not exist at run time.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'A file that imports nothing and is imported by nothing is unused.',
      severity: 'error',
      // Each file of the contract is an entry point of its package. `--import` loads the clock.
      from: {
        orphan: true,
        pathNot: [
          '\\.d\\.ts$',
          '\\.config\\.ts$',
          '^bench/',
          '^packages/contract/src/',
          '^resilience/chaos/product/shifted-clock\\.ts$',
          '\\.worker\\.ts$',
        ],
      },
      to: {},
    },
    {
      name: 'not-to-unresolvable',
      comment: 'An unresolved import fails at run time.',
      severity: 'error',
      // Vite resolves these at build time.
      from: { pathNot: '^apps/console/src/.*\\.worker\\.ts$' },
      to: { couldNotResolve: true, pathNot: '\\?(worker|url|raw|inline)' },
    },
    {
      name: 'no-tests-in-production',
      comment: 'Test code may be slow, unsafe or missing in production.',
      severity: 'error',
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'no-development-packages-in-production',
      comment: 'A production installation has no development dependencies.',
      severity: 'error',
      // The bundle of `apps/cli` has its packages in it.
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: `${tests}|^apps/cli/` },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'A transitive dependency disappears when its parent drops it.',
      severity: 'error',
      // This test builds the console, with the console's Vite.
      from: { pathNot: '^tools/third-language\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },

    {
      name: 'contract-stands-alone',
      comment:
        'Browser, server and tests share the contract, and browsers download it. It needs only zod, hashes, decimals and the parser of event streams.',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: tests },
      to: {
        pathNot: [
          '^packages/contract/src/',
          '(^|/)node_modules/(zod/mini|zod/v4|@noble/hashes|eventsource-parser|big\\.js|@types/big\\.js)/',
        ],
      },
    },
    {
      name: 'phrases-stand-alone',
      comment: 'Every app uses the phrases, so they depend on none.',
      severity: 'error',
      from: { path: '^packages/phrases/src/' },
      to: { path: '^(apps|packages/contract)/' },
    },

    {
      name: 'console-never-imports-server',
      comment:
        'The console knows only the contract. Other imports would put server code into the browser.',
      severity: 'error',
      from: { path: '^apps/console/' },
      to: { path: '^apps/(cli|operator|server|site)/' },
    },
    {
      name: 'server-never-imports-console',
      comment: 'The server serves the built console as files, and must run without its sources.',
      severity: 'error',
      from: { path: '^apps/server/' },
      to: { path: '^apps/(cli|console|operator|site)/' },
    },
    {
      name: 'operator-knows-only-the-contract',
      comment:
        'The command line runs on machines without the server and its settings, so it knows only the contract.',
      severity: 'error',
      from: { path: '^apps/operator/src/', pathNot: tests },
      to: { path: '^apps/(console|server|site)/' },
    },
    {
      name: 'cli-knows-only-the-contract',
      comment: 'The command line of customers is published without the service.',
      severity: 'error',
      from: { path: '^apps/cli/src/', pathNot: tests },
      to: { path: '^apps/(console|operator|server|site)/' },
    },
    {
      name: 'site-stands-alone',
      comment:
        'The starter site is a customer’s code. It runs on its own, with the files of its folder.',
      severity: 'error',
      from: { path: '^apps/site/src/', pathNot: tests },
      to: { path: ['^apps/(console|server)/', '^packages/'] },
    },
    {
      name: 'features-never-import-features',
      comment:
        'A feature can be read, changed and removed alone. Shared code belongs to shell, forms, api or ui.',
      severity: 'error',
      from: { path: '^apps/console/src/features/([^/]+)/' },
      to: { path: '^apps/console/src/features/', pathNot: '^apps/console/src/features/$1/' },
    },
    {
      name: 'console-api-imports-no-view',
      comment:
        'Data flows one way: api fetches it; forms, shell and features show it. So the client can be tested without a component.',
      severity: 'error',
      from: { path: '^apps/console/src/api/', pathNot: tests },
      to: { path: '^apps/console/src/(ui|forms|shell|palette|features)/' },
    },
    {
      name: 'console-forms-import-no-shell',
      comment: 'A form works on any page; only the shell knows the page.',
      severity: 'error',
      from: { path: '^apps/console/src/forms/', pathNot: tests },
      to: { path: '^apps/console/src/(shell|palette|features)/' },
    },
    {
      name: 'console-shell-imports-no-feature',
      comment: 'The shell is loaded with every screen, and so is everything that it imports.',
      severity: 'error',
      from: { path: '^apps/console/src/shell/', pathNot: tests },
      to: { path: '^apps/console/src/features/' },
    },
    {
      name: 'ui-knows-no-product',
      comment:
        'Primitives get everything as props: no router, queries, phrases or features. So each works on every screen.',
      severity: 'error',
      from: { path: '^apps/console/src/ui/', pathNot: tests },
      to: {
        // Virtual rows are arithmetic and know no product.
        path: [
          '^apps/console/src/(?!ui/)',
          '^packages/phrases/',
          '(^|/)node_modules/@tanstack/(?!react-virtual/|virtual-core/)',
        ],
      },
    },

    {
      name: 'routes-only-call-services',
      comment: 'Routes call services, which contain the rules. A route that queries skips them.',
      severity: 'error',
      from: { path: `${modules}.*\\.routes\\.ts$` },
      to: {
        path: [
          '\\.(store|schema)\\.ts$',
          '(^|/)node_modules/(drizzle-orm|pg)/',
          '^apps/server/src/db/',
        ],
      },
    },
    {
      name: 'stores-never-call-up',
      comment:
        'A store only reads and writes rows. A call to a service or route could run outside its transaction.',
      severity: 'error',
      from: { path: `${modules}.*\\.store\\.ts$` },
      to: { path: '\\.(service|routes|jobs)\\.ts$' },
    },
    {
      name: 'services-never-call-routes',
      comment: 'Routes call services. In the other direction the rules would depend on HTTP.',
      severity: 'error',
      from: { path: `${modules}.*\\.(service|policy|jobs|schema|events)\\.ts$` },
      to: {
        path: ['\\.routes\\.ts$', '(^|/)node_modules/fastify/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'modules-meet-at-services',
      comment:
        'A module’s interface is its service, events and policy, and its schema for keys and joins. The rest is private.',
      severity: 'error',
      from: { path: `${modules}([^/]+)/`, pathNot: tests },
      to: { path: modules, pathNot: [`${modules}$1/`, '\\.(service|schema|events|policy)\\.ts$'] },
    },
    {
      name: 'schemas-are-the-base-layer',
      comment:
        'Any module may refer to a schema for foreign keys and joins, so a schema depends only on schemas and columns.',
      severity: 'error',
      from: { path: '^apps/server/src/.*\\.schema\\.ts$' },
      to: { path: '^apps/', pathNot: ['\\.schema\\.ts$', '^apps/server/src/db/'] },
    },
    {
      name: 'engines-import-no-module',
      comment: 'An engine is called through its interface, so another engine can replace it.',
      severity: 'error',
      from: { path: '^apps/server/src/engines/', pathNot: tests },
      to: { path: modules },
    },
    {
      name: 'gateway-knows-no-engine',
      comment:
        'The site gateway works with every engine. It gets routes and addresses as parameters, so a new engine does not change it.',
      severity: 'error',
      from: { path: '^apps/server/src/gateway/' },
      to: { path: ['^apps/server/src/engines/', modules] },
    },
    {
      name: 'engines-import-no-gateway',
      comment:
        'An engine publishes the addresses of instances and does not know who sends requests to them.',
      severity: 'error',
      from: { path: '^apps/server/src/engines/' },
      to: { path: '^apps/server/src/gateway/' },
    },
    {
      name: 'http-and-db-import-no-module',
      comment:
        'Both serve every module. app.ts and modules.ts connect them, so a new module changes neither.',
      severity: 'error',
      from: { path: '^apps/server/src/(http|db)/', pathNot: tests },
      // The database schema consists of the tables of all modules.
      to: { path: modules, pathNot: '\\.schema\\.ts$' },
    },
  ],
  options: {
    // TypeScript 7 has no API for its syntax trees.
    parser: 'swc',
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: '(^|/)node_modules/' },
    exclude: { path: '^(apps/[^/]+/dist|packages/phrases/src/paraglide)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
    },
    reporterOptions: { text: { highlightFocused: true } },
  },
}
