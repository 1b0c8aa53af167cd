<?php
// Runs before each script: PHP's own streams, such as file_get_contents, read no variable for their
// proxy.
stream_context_set_default(array('http' => array('proxy' => 'tcp://127.0.0.1:3128')));
