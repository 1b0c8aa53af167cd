<?php
// The PHP site of `npm run demo`: a guest book, which keeps its entries in a file.
$file = '/data/guests.txt';
if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    $name = preg_replace('/\s+/u', ' ', trim($_POST['name'] ?? ''));
    if (preg_match('/^.{1,60}$/u', (string) $name)) {
        file_put_contents($file, "$name\n", FILE_APPEND | LOCK_EX);
    }
    header('Location: /', true, 303);
    exit;
}
$guests = is_file($file) ? array_reverse(file($file, FILE_IGNORE_NEW_LINES)) : [];
?>
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Regatta Guest Book</title>
<link rel="stylesheet" href="/style.css">
<main>
<h1>Regatta Guest Book</h1>
<p>Were you there? Leave your name.</p>
<form method="post">
<label>Your name <input name="name" maxlength="60" required></label>
<button>Sign</button>
</form>
<ul><?php foreach (array_slice($guests, 0, 50) as $guest): ?><li><?= htmlspecialchars($guest) ?></li><?php endforeach ?></ul>
</main>
</html>
