mod special;
