export default {
  extends: ['@commitlint/config-conventional'],
  rules: {
    'header-max-length': [2, 'always', 72],
    // A summary may begin with a name, such as PostgreSQL.
    'subject-case': [0],
    'body-max-line-length': [0],
  },
}
