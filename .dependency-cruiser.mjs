// Without this parser TypeScript files would be passed over, and every rule would hold.
import '@swc/core'

// What may import what. The comment of each rule is its reason, and is shown when it is broken.

const tests = '\\.(spec|fixture)\\.tsx?$|/testing/|^e2e/|^bench/'
const modules = '^apps/server/src/modules/'

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment:
        'Files that import each other cannot be read, tested or loaded one without the other. Types may: they are gone when the program runs.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'A file that imports nothing and that nothing imports is dead, or was forgotten.',
      severity: 'error',
      // Each file of the contract is an entry of its package.
      from: {
        orphan: true,
        pathNot: [
          '\\.d\\.ts$',
          '\\.config\\.ts$',
          '^bench/',
          '^packages/contract/src/',
          '\\.worker\\.ts$',
        ],
      },
      to: {},
    },
    {
      name: 'not-to-unresolvable',
      comment: 'An import that leads nowhere fails when the program runs, not before.',
      severity: 'error',
      // Vite gives these their meaning when it builds.
      from: { pathNot: '^apps/console/src/.*\\.worker\\.ts$' },
      to: { couldNotResolve: true, pathNot: '\\?(worker|url|raw|inline)' },
    },
    {
      name: 'no-tests-in-production',
      comment: 'What is made for tests may be slow, unsafe or missing where the product runs.',
      severity: 'error',
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'no-development-packages-in-production',
      comment: 'Development dependencies are not there when the product is installed without them.',
      severity: 'error',
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-undeclared-packages',
      comment:
        "A package that is there only because another one needs it vanishes with that one's next version.",
      severity: 'error',
      from: { path: '^(apps|packages)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },

    {
      name: 'contract-stands-alone',
      comment:
        'The contract is what browser, server and tests share, and each byte of it is downloaded: it needs zod, hashes and decimals, and nothing of its users.',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: tests },
      to: {
        pathNot: [
          '^packages/contract/src/',
          '(^|/)node_modules/(zod/mini|zod/v4|@noble/hashes|big\\.js|@types/big\\.js)/',
        ],
      },
    },
    {
      name: 'phrases-stand-alone',
      comment: 'Texts are the same for every part, so they know none of them.',
      severity: 'error',
      from: { path: '^packages/phrases/src/' },
      to: { path: '^(apps|packages/contract)/' },
    },

    {
      name: 'console-never-imports-server',
      comment:
        'The console knows the server by its contract alone; anything else would put server code into the browser.',
      severity: 'error',
      from: { path: '^apps/console/' },
      to: { path: '^apps/(operator|server|site)/' },
    },
    {
      name: 'server-never-imports-console',
      comment: 'The server hands out the built console as files; it must run without its sources.',
      severity: 'error',
      from: { path: '^apps/server/' },
      to: { path: '^apps/(console|operator|site)/' },
    },
    {
      name: 'operator-knows-the-contract-alone',
      comment:
        'The operators’ command line runs on machines that have neither the server nor its settings: it knows the calls.',
      severity: 'error',
      from: { path: '^apps/operator/src/', pathNot: tests },
      to: { path: '^apps/(console|server|site)/' },
    },
    {
      name: 'site-stands-alone',
      comment:
        'The starter site is a customer’s program: it runs apart from us, with what is in its own folder.',
      severity: 'error',
      from: { path: '^apps/site/src/', pathNot: tests },
      to: { path: ['^apps/(console|server)/', '^packages/'] },
    },
    {
      name: 'features-never-import-features',
      comment:
        'A feature of the console can be read, changed and removed alone; what two need belongs to shell, forms, api or ui.',
      severity: 'error',
      from: { path: '^apps/console/src/features/([^/]+)/' },
      to: { path: '^apps/console/src/features/', pathNot: '^apps/console/src/features/$1/' },
    },
    {
      name: 'console-api-imports-no-view',
      comment:
        'The console fetches data in api and shows it in forms, shell and features: data flows one way, so the client can be read and tested without a component.',
      severity: 'error',
      from: { path: '^apps/console/src/api/', pathNot: tests },
      to: { path: '^apps/console/src/(ui|forms|shell|palette|features)/' },
    },
    {
      name: 'console-forms-import-no-shell',
      comment: 'A form works on any page; only the shell knows which page that is.',
      severity: 'error',
      from: { path: '^apps/console/src/forms/', pathNot: tests },
      to: { path: '^apps/console/src/(shell|palette|features)/' },
    },
    {
      name: 'console-shell-imports-no-feature',
      comment:
        'The shell surrounds every screen; a screen that it imports is loaded with all others.',
      severity: 'error',
      from: { path: '^apps/console/src/shell/', pathNot: tests },
      to: { path: '^apps/console/src/features/' },
    },
    {
      name: 'ui-knows-no-product',
      comment:
        'Primitives take everything as props: no router, no queries, no phrases, no feature, so each works wherever it is put.',
      severity: 'error',
      from: { path: '^apps/console/src/ui/', pathNot: tests },
      to: {
        // What is virtual about rows is arithmetic, and knows no product either.
        path: [
          '^apps/console/src/(?!ui/)',
          '^packages/phrases/',
          '(^|/)node_modules/@tanstack/(?!react-virtual/|virtual-core/)',
        ],
      },
    },

    {
      name: 'routes-only-call-services',
      comment:
        'A handler says what, the service says how, the store says where: routes that query skip the rules between.',
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
        'A store only reads and writes rows: what calls a service or a route from there runs rules in the wrong transaction.',
      severity: 'error',
      from: { path: `${modules}.*\\.store\\.ts$` },
      to: { path: '\\.(service|routes|jobs)\\.ts$' },
    },
    {
      name: 'services-never-call-routes',
      comment: 'Routes call services; the other way round a rule would depend on HTTP.',
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
        'Another module is reached by its service, events or policy (or its schema, for keys and joins): the rest is its own business.',
      severity: 'error',
      from: { path: `${modules}([^/]+)/`, pathNot: tests },
      to: { path: modules, pathNot: [`${modules}$1/`, '\\.(service|schema|events|policy)\\.ts$'] },
    },
    {
      name: 'schemas-are-the-base-layer',
      comment:
        'Any module may refer to a schema for foreign keys and joins, so a schema depends on schemas and columns only.',
      severity: 'error',
      from: { path: '^apps/server/src/.*\\.schema\\.ts$' },
      to: { path: '^apps/', pathNot: ['\\.schema\\.ts$', '^apps/server/src/db/'] },
    },
    {
      name: 'engines-import-no-module',
      comment:
        'An engine does what it is told through its interface, so that another one can take its place.',
      severity: 'error',
      from: { path: '^apps/server/src/engines/', pathNot: tests },
      to: { path: modules },
    },
    {
      name: 'gateway-knows-no-engine',
      comment:
        'The site gateway stands before every engine: it gets routes and addresses as parameters, so a new engine does not change it.',
      severity: 'error',
      from: { path: '^apps/server/src/gateway/' },
      to: { path: ['^apps/server/src/engines/', modules] },
    },
    {
      name: 'engines-import-no-gateway',
      comment: 'An engine says where an instance answers; it does not know who sends the requests.',
      severity: 'error',
      from: { path: '^apps/server/src/engines/' },
      to: { path: '^apps/server/src/gateway/' },
    },
    {
      name: 'http-and-db-import-no-module',
      comment:
        'They serve every module alike: app.ts and modules.ts put them together, so a new module changes neither.',
      severity: 'error',
      from: { path: '^apps/server/src/(http|db)/', pathNot: tests },
      // The tables of all modules are one schema, and the migrations are made from it.
      to: { path: modules, pathNot: '\\.schema\\.ts$' },
    },
  ],
  options: {
    // TypeScript 7 has no API for others to read its trees with.
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
